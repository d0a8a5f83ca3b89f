import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ticketCountsQuery } from '../tickets.ts';
import styles from './navigation.module.css';

const MOST_SHOWN = 99;

/** The number of tickets that have something new for the account. */
export function UnreadTickets() {
  const { t } = useTranslation();
  const unread = useQuery(ticketCountsQuery()).data?.unread ?? 0;
  if (unread === 0) return null;
  const text = unread > MOST_SHOWN ? `${MOST_SHOWN}+` : String(unread);
  return (
    <span className={styles.unread}>
      <span aria-hidden="true">{text}</span>
      <span className="visually-hidden">{t('nav.unread', { text })}</span>
    </span>
  );
}
