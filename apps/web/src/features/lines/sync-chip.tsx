import type { Line } from '@linekeeper/contract/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { CloudAlert, RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { usePushMessage } from '../../shared/i18n/use-push-message.ts';
import { serverChoicesQuery } from '../../shared/server-choices.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import styles from './cells.module.css';
import { useRetrySync } from './use-retry-sync.ts';

export function useServerName(id: string): string {
  const { data } = useQuery(serverChoicesQuery());
  return data?.find((server) => server.id === id)?.server_name ?? '';
}

/** That the card server does not have the line as it should be, and why. */
export function NotOnServer({ line }: { line: Line }) {
  const { t } = useTranslation('lines');
  const serverName = useServerName(line.server_id);
  const pushMessage = usePushMessage();
  const reason = [serverName, pushMessage(line.sync_message)].filter(Boolean).join(': ');
  return (
    <Badge tone="warning" icon={<CloudAlert />} title={reason}>
      {t('sync.notOnServer')}
    </Badge>
  );
}

/** The server a line is on, or that it is not there. */
export function SyncChip({ line }: { line: Line }) {
  const { t } = useTranslation('lines');
  const serverName = useServerName(line.server_id);
  const pushMessage = usePushMessage();
  const { retry, isPending } = useRetrySync(line);
  if (line.sync_state === 'failed') {
    return (
      <span className={styles.sync}>
        <NotOnServer line={line} />
        <IconButton
          size="tiny"
          label={t('sync.retryOf', { username: line.username })}
          title={pushMessage(line.sync_message)}
          onClick={retry}
          aria-busy={isPending || undefined}
        >
          <RefreshCw size={16} aria-hidden="true" data-spinning={isPending || undefined} />
        </IconButton>
      </span>
    );
  }
  return (
    <span className={styles.sync}>
      <span className={styles.ellipsis} title={serverName}>
        {serverName}
      </span>
      {line.sync_state === 'pending' && <Sending />}
    </span>
  );
}

/** Appears only when the push takes longer than a moment. */
export function Sending() {
  const { t } = useTranslation('lines');
  return <span className={styles.sending}>{t('sync.sending')}</span>;
}
