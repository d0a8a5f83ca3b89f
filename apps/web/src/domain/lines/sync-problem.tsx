import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Tooltip } from '#kit/overlays/tooltip.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { isolate } from '#platform/i18n/isolate.ts';
import styles from './cells.module.css';
import { NotOnServer, ServerName, useServerName, useSyncReason } from './sync.tsx';
import { useRetrySync } from './use-retry-sync.ts';

interface ProblemProps {
  line: Line;
  problem: 'line' | 'change';
}

/** If only the last change is missing on the server, the server's name stays visible. */
export function ProblemChip({ line, problem }: ProblemProps) {
  const { t } = useTranslation();
  const serverName = useServerName(line.server_id);
  const reason = [isolate(serverName), useSyncReason()(line)].filter(Boolean).join(': ');
  const { retry, isPending } = useRetrySync(line);
  return (
    <Tooltip text={reason} className={styles.sync}>
      {(reasonId) => (
        <>
          <span className={styles.problem} data-problem={problem}>
            {problem === 'change' && <ServerName id={line.server_id} />}
            <NotOnServer line={line} />
          </span>
          <IconButton
            size="tiny"
            label={t('line.sync.retryOf', { username: line.username })}
            title=""
            aria-describedby={reasonId}
            onClick={retry}
            aria-busy={isPending || undefined}
          >
            <RefreshCw size={16} className={isPending ? 'turning' : ''} />
          </IconButton>
        </>
      )}
    </Tooltip>
  );
}

/** A line's sync problem as text with a retry button, for cards on a phone. */
export function RetryLine({ line, className }: { line: Line; className?: string | undefined }) {
  const { t } = useTranslation();
  const syncReason = useSyncReason();
  const { retry, isPending } = useRetrySync(line);
  return (
    <Tooltip text={syncReason(line)} className={className}>
      {(reasonId) => (
        <>
          <NotOnServer line={line} />
          <Button
            variant="text"
            size="small"
            aria-label={t('line.sync.retryOf', { username: line.username })}
            aria-describedby={reasonId}
            aria-busy={isPending || undefined}
            onClick={retry}
          >
            {t('line.sync.retry')}
          </Button>
        </>
      )}
    </Tooltip>
  );
}
