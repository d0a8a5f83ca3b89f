import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { Clock, CloudAlert, ServerOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { serverChoicesQuery } from '#domain/servers/server-choices.ts';
import { troubleOf } from '#domain/servers/trouble.ts';
import { Badge } from '#kit/ui/badge.tsx';
import { isolate, shownText } from '#platform/i18n/isolate.ts';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';

type Synced = Pick<Line, 'sync_state' | 'on_server' | 'suspension'>;

/** True if the last change of a line has not reached its server and is retried automatically. */
export function waits({
  sync_state,
  sync_finding,
}: Pick<Line, 'sync_state' | 'sync_finding'>): boolean {
  return sync_state === 'failed' && sync_finding?.code === 'PUSH_NOT_REACHED';
}

/**
 * The missing part on the line's server: the line, or only its last change. Null if nothing is
 * missing, or the push is still pending; a suspended line is not missing.
 */
export function syncProblem({
  sync_state,
  on_server,
  suspension,
}: Synced): 'line' | 'change' | null {
  if (suspension) return sync_state === 'failed' ? 'change' : null;
  if (sync_state === 'failed') return on_server ? 'change' : 'line';
  // The server accepted the line and lost it later.
  return sync_state === 'synced' && !on_server ? 'line' : null;
}

/** Explains why the server lacks the line or its last change. */
export function useSyncReason(): (line: Pick<Line, 'sync_state' | 'sync_finding'>) => string {
  const { t } = useTranslation();
  const findingText = useFindingText();
  return ({ sync_state, sync_finding }) =>
    sync_state === 'failed' ? findingText(sync_finding) : t('line.sync.lost');
}

/**
 * The badge of a line or a change that is not on the card server, or that waits for a server that does not respond.
 */
export function NotOnServer({ line }: { line: Synced & Pick<Line, 'sync_finding'> }) {
  const { t } = useTranslation();
  if (waits(line)) {
    return (
      <Badge tone="warning" icon={<Clock />}>
        {t('line.sync.waits')}
      </Badge>
    );
  }
  const { works_as, works_on } = line.sync_finding?.data ?? {};
  if (works_as !== undefined && line.sync_state === 'failed' && !line.suspension) {
    return (
      <Badge tone="warning" icon={<CloudAlert />}>
        {works_on === undefined
          ? t('line.sync.worksAs', { name: works_as })
          : t('line.sync.worksOn', { server: works_on })}
      </Badge>
    );
  }
  return (
    <Badge tone="warning" icon={<CloudAlert />}>
      {t(syncProblem(line) === 'change' ? 'line.sync.changeNotOnServer' : 'line.sync.notOnServer')}
    </Badge>
  );
}

/** The name of a line's server, in red while the server does not respond. */
export function ServerName({ id, wraps = false }: { id: string; wraps?: boolean }) {
  const { t } = useTranslation();
  const { name, isAway } = useServer(id);
  return (
    <bdi
      className={`data-away:text-error-fg data-away:[&>svg]:inline-block data-away:[&>svg]:me-1 data-away:[&>svg]:text-inherit data-away:[&>svg]:[vertical-align:-3px] ${wraps ? '' : 'cell-text'}`}
      data-away={isAway || undefined}
      title={isolate(name)}
    >
      {isAway && <ServerOff size={16} aria-label={t('serverCard.state.error')} role="img" />}
      {shownText(name)}
    </bdi>
  );
}

function useServer(id: string) {
  const { data } = useQuery(serverChoicesQuery());
  const server = data?.find((one) => one.id === id);
  return {
    name: server?.server_name ?? '',
    isAway: server !== undefined && troubleOf(server)?.tone === 'error',
  };
}

export const useServerName = (id: string): string => useServer(id).name;

/** The mark of a line with a pending change. It appears only if the delivery takes longer than a moment. */
export function Pending() {
  const { t } = useTranslation();
  return (
    <span className="flex-none ms-1 text-text-2 type-caption animate-[appear_0.2s_2s_backwards]">
      {t('line.sync.pending')}
    </span>
  );
}
