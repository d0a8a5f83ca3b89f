import { useQueryClient } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useConnection } from '../connection.ts';
import { formatTime } from '../format/format-moment.ts';
import { Button } from '../ui/buttons/button.tsx';
import styles from './offline-banner.module.css';

/** Warns that the shown data may be outdated while the panel cannot be reached. */
export function OfflineBanner() {
  const { t, i18n } = useTranslation();
  const queryClient = useQueryClient();
  const connection = useConnection();
  if (connection === 'online') return null;

  const fetchedAt = queryClient
    .getQueryCache()
    .findAll({ type: 'active' })
    .map(({ state }) => state.dataUpdatedAt)
    .filter((time) => time > 0);
  const time = fetchedAt.length > 0 && formatTime(Math.min(...fetchedAt), i18n.language);
  return (
    <div className={styles.banner} role="status">
      <WifiOff size={18} aria-hidden="true" />
      <span className={styles.text}>
        <b>{connection === 'offline' ? t('offline.title') : t('offline.unreachable')}</b>{' '}
        {time ? t('offline.text', { time }) : t('offline.textWithoutTime')}
      </span>
      <Button size="small" onClick={() => void queryClient.refetchQueries({ type: 'active' })}>
        {t('action.retry')}
      </Button>
    </div>
  );
}
