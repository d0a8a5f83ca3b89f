import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
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
import { Divided, Muted, Row, Text } from '../../../shared/ui/vocabulary.tsx';
import styles from './edit-line.module.css';

export function LineFacts({ line }: { line: Line }) {
  const { t } = useTranslation('lines');
  const termText = useTermText();
  return (
    <Card title={t('facts.title')}>
      <Divided as="dl" className={styles.facts}>
        <Fact name={t('columns.server')}>
          <SyncState line={line} />
        </Fact>
        <Fact name={t('columns.term')}>{termText(line) || '–'}</Fact>
        <Fact name={t('columns.added')}>{formatDay(line.added_date)}</Fact>
        <Fact name={t('facts.created')}>
          <Timestamp value={line.created_at} />
        </Fact>
        <Fact name={t('facts.updated')}>
          <Timestamp value={line.updated_at} />
        </Fact>
      </Divided>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
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
        <Text as="b" wraps>
          <TypedText>{serverName}</TypedText>
        </Text>
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
        icon={<RefreshCw />}
        pending={isPending}
        blocked={useNeedsConnection()}
        onClick={retry}
      >
        {t(problem ? 'line.sync.retry' : 'line.action.sync')}
      </Button>
      {problem && <Muted as="p">{syncReason(line)}</Muted>}
    </Row>
  );
}
