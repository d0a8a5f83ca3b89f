import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { badgeText, unreadMessagesQuery } from '../unread.ts';
import styles from './navigation.module.css';
import type { CountedBadge } from './navigation-items.ts';

/** What each badge counts. */
const queries = { messages: unreadMessagesQuery } satisfies Record<CountedBadge, unknown>;

/** How many are unread, beside an entry of the navigation. */
export function NavBadge({ of }: { of: CountedBadge }) {
  const { t } = useTranslation();
  const { data: count = 0 } = useQuery(queries[of]());
  if (count === 0) return null;
  const shown = badgeText(count);
  return (
    <span className={styles.badge}>
      <span aria-hidden="true">{shown}</span>
      <span className="visually-hidden">{t('unread', { count, shown })}</span>
    </span>
  );
}
