import { useQuery } from '@tanstack/react-query';
import { BellIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { badgeText, unreadNotificationsQuery } from '../../data/unread.ts';
import { lazyComponent } from '../../start/lazy-component.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import styles from '../header.module.css';
import { HeaderPopover } from '../header-popover.tsx';
import { useBellToasts } from './use-bell-toasts.ts';

export const BellPanel = lazyComponent(async () => (await import('./bell-panel.tsx')).BellPanel, {
  isOpen: ({ anchor }) => anchor,
});

/** The bell with the number of what is unread, which opens the newest notifications. */
export function Bell() {
  const { t } = useTranslation();
  const { data: count = 0 } = useQuery(unreadNotificationsQuery());
  useBellToasts();
  return (
    <span className={styles.bell}>
      <HeaderPopover
        panel={BellPanel}
        trigger={(props) => (
          <IconButton
            label={
              count > 0 ? t('bell.unread', { count, shown: badgeText(count) }) : t('bell.title')
            }
            {...props}
          >
            <BellIcon size={24} strokeWidth={1.6} aria-hidden="true" />
          </IconButton>
        )}
      />
      {count > 0 && (
        <span className={styles.bellCount} aria-hidden="true">
          {badgeText(count)}
        </span>
      )}
    </span>
  );
}
