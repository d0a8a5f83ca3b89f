import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { CloudAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { serverChoicesQuery } from '../data/server-choices.ts';
import { isolate, shownText } from '../i18n/isolate.ts';
import { useFindingText } from '../i18n/use-finding-text.ts';
import { Badge } from '../ui/badge.tsx';
import styles from './cells.module.css';

type Synced = Pick<Line, 'sync_state' | 'on_server' | 'suspension'>;

/**
 * The part missing on the line's server: the line, or only its last change. Null if nothing is
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

/** Badge for a line, or a change, that is not on the card server. */
export function NotOnServer({ line }: { line: Synced }) {
  const { t } = useTranslation();
  return (
    <Badge tone="warning" icon={<CloudAlert />}>
      {t(syncProblem(line) === 'change' ? 'line.sync.changeNotOnServer' : 'line.sync.notOnServer')}
    </Badge>
  );
}

export function ServerName({ children: serverName }: { children: string }) {
  return (
    <bdi className={styles.ellipsis} title={isolate(serverName)}>
      {shownText(serverName)}
    </bdi>
  );
}

export function useServerName(id: string): string {
  const { data } = useQuery(serverChoicesQuery());
  return data?.find((server) => server.id === id)?.server_name ?? '';
}

/** Becomes visible only if the push takes longer than a moment. */
export function Pending() {
  const { t } = useTranslation();
  return <span className={styles.pending}>{t('line.sync.pending')}</span>;
}
