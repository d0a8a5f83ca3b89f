import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { useCallback, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnection } from '../browser/connection.ts';
import { formatSince } from '../format/format-since.ts';
import { Button } from '../ui/buttons/button.tsx';
import { Row } from '../ui/vocabulary.tsx';
import styles from './offline-banner.module.css';

/** When the oldest of the data on the screen was fetched; 0 while there is none. */
function oldestShown(queryClient: QueryClient): number {
  const active = queryClient.getQueryCache().findAll({ type: 'active' });
  const fetchedAt = active.map(({ state }) => state.dataUpdatedAt).filter((time) => time > 0);
  return fetchedAt.length > 0 ? Math.min(...fetchedAt) : 0;
}

/** Warns that the shown data may be outdated while the panel cannot be reached. */
export function OfflineBanner() {
  return useConnection() === 'online' ? null : <Banner />;
}

function Banner() {
  const { t, i18n } = useTranslation();
  const queryClient = useQueryClient();
  const connection = useConnection();
  const oldest = useSyncExternalStore(
    useCallback((listener) => queryClient.getQueryCache().subscribe(listener), [queryClient]),
    () => oldestShown(queryClient),
  );
  const time = formatSince(oldest, i18n.language);
  return (
    <Row gap={12} className={styles.banner} role="status">
      <WifiOff size={18} aria-hidden="true" />
      <span className={styles.text}>
        <b>{connection === 'offline' ? t('offline.title') : t('offline.unreachable')}</b>{' '}
        {oldest > 0 ? t('offline.text', { time }) : t('offline.textWithoutTime')}
      </span>
      <Button size="small" onClick={() => void queryClient.refetchQueries({ type: 'active' })}>
        {t('action.retry')}
      </Button>
    </Row>
  );
}
