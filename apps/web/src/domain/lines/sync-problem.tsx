import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Tooltip } from '#kit/overlays/tooltip.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { isolate } from '#platform/i18n/isolate.ts';
import { serverOfState } from './placed.ts';
import { NotOnServer, ServerName, useServerName, useSyncReason } from './sync.tsx';
import { useRetrySync } from './use-retry-sync.ts';

interface ProblemProps {
  line: Line;
  problem: 'line' | 'change';
}

/** The look of the badge, which takes a second row if there is no room. */
const BADGE =
  '[&>:last-child]:h-auto [&>:last-child]:min-h-[var(--cell-badge-height,var(--badge-height,24px))] [&>:last-child]:leading-4.5 [&>:last-child]:whitespace-normal [&>:last-child]:[&>[aria-hidden]]:[display:var(--cell-icon,inline)]';
const BELOW_SERVER =
  'data-[problem=change]:py-1 [&[data-problem=change]>:last-child]:min-h-5.5 [&[data-problem=change]>:last-child]:py-0.5';

/**
 * The chip on a line that differs from its server. If the server lacks only the last change, the server's name stays
 * visible beside it.
 */
export function ProblemChip({ line, problem }: ProblemProps) {
  const { t } = useTranslation();
  const serverId = serverOfState(line);
  const serverName = useServerName(serverId);
  const reason = [isolate(serverName), useSyncReason()(line)].filter(Boolean).join(': ');
  const { retry, isPending } = useRetrySync(line);
  return (
    <Tooltip text={reason} className="flex items-center gap-1 [&_svg]:text-warning-fg">
      {(reasonId) => (
        <>
          <span
            className={`flex flex-col items-start min-w-0 [&>.cell-text]:max-w-full ${BADGE} ${BELOW_SERVER}`}
            data-problem={problem}
          >
            {problem === 'change' && <ServerName id={serverId} />}
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
