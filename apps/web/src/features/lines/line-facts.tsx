import { showDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines.ts';
import { RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { usePushMessage } from '../../shared/i18n/use-push-message.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { Timestamp } from '../../shared/ui/timestamp.tsx';
import styles from './edit-line.module.css';
import { NotOnServer, useServerName } from './sync-chip.tsx';
import { useRetrySync } from './use-retry-sync.ts';
import { useTermText } from './use-term-text.ts';

/** What is known about a line and not entered by anybody. */
export function LineFacts({ line }: { line: Line }) {
  const { t } = useTranslation('lines');
  const termText = useTermText();
  return (
    <Card title={t('facts.title')}>
      <dl className={styles.facts}>
        <div>
          <dt>{t('columns.server')}</dt>
          <dd>
            <SyncState line={line} />
          </dd>
        </div>
        <div>
          <dt>{t('columns.term')}</dt>
          <dd>{termText(line) || '–'}</dd>
        </div>
        <div>
          <dt>{t('columns.added')}</dt>
          <dd>{showDay(line.added_date)}</dd>
        </div>
        <div>
          <dt>{t('facts.created')}</dt>
          <dd>
            <Timestamp value={line.created_at} />
          </dd>
        </div>
        <div>
          <dt>{t('facts.updated')}</dt>
          <dd>
            <Timestamp value={line.updated_at} />
          </dd>
        </div>
      </dl>
    </Card>
  );
}

function SyncState({ line }: { line: Line }) {
  const { t } = useTranslation('lines');
  const pushMessage = usePushMessage();
  const { retry, isPending } = useRetrySync(line);
  const serverName = useServerName(line.server_id);
  const { sync_state } = line;
  return (
    <div className={styles.sync}>
      {serverName && <b>{serverName}</b>}
      {sync_state === 'failed' ? (
        <NotOnServer line={line} />
      ) : (
        <Badge tone={sync_state === 'synced' ? 'success' : 'info'}>
          {t(`filter.syncStates.${sync_state}`)}
        </Badge>
      )}
      <Button
        size="small"
        icon={<RefreshCw aria-hidden="true" />}
        pending={isPending}
        onClick={retry}
      >
        {sync_state === 'failed' ? t('sync.retry') : t('actions.sync')}
      </Button>
      {sync_state === 'failed' && <p>{pushMessage(line.sync_message)}</p>}
    </div>
  );
}
