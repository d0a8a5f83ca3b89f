import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import {
  NotOnServer,
  syncProblem,
  useServerName,
  useSyncReason,
} from '../../../shared/lines/sync.tsx';
import { useTermText } from '../../../shared/lines/texts.ts';
import { useRetrySync } from '../../../shared/lines/use-retry-sync.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { Timestamp } from '../../../shared/ui/timestamp.tsx';
import { TypedText } from '../../../shared/ui/typed-text.tsx';
import { useNeedsConnection } from '../../../shared/ui/use-needs-connection.ts';
import { Divided, Row } from '../../../shared/ui/vocabulary.tsx';
import styles from './edit-line.module.css';

/** Read-only details of a line. */
export function LineFacts({ line }: { line: Line }) {
  const { t } = useTranslation('lines');
  const termText = useTermText();
  return (
    <Card title={t('facts.title')}>
      <Divided as="dl" className={styles.facts}>
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
          <dd>{formatDay(line.added_date)}</dd>
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
      </Divided>
    </Card>
  );
}

function SyncState({ line }: { line: Line }) {
  const { t } = useTranslation('lines');
  const syncReason = useSyncReason();
  const { retry, isPending } = useRetrySync(line);
  const serverName = useServerName(line.server_id);
  const { sync_state } = line;
  const problem = syncProblem(line);
  return (
    <Row wrap className={styles.sync}>
      {serverName && (
        <b>
          <TypedText>{serverName}</TypedText>
        </b>
      )}
      {problem ? (
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
        blocked={useNeedsConnection()}
        onClick={retry}
      >
        {t(problem ? 'line.sync.retry' : 'line.action.sync')}
      </Button>
      {problem && <p>{syncReason(line)}</p>}
    </Row>
  );
}
