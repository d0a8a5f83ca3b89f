import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { isPending } from './use-retry-sync.ts';

export type PlacedServer = Line['servers'][number];

/** The state of a line on one of its servers: accepted, pending, or refused. */
export function placedState({
  sync_state,
  sync_finding,
}: Pick<PlacedServer, 'sync_state' | 'sync_finding'>): 'taken' | 'waits' | 'refused' {
  if (sync_state === 'synced') return 'taken';
  const isOnItsWay = sync_finding?.code === 'PUSH_NOT_REACHED' || isPending(sync_finding);
  return sync_state === 'pending' || isOnItsWay ? 'waits' : 'refused';
}

/** The servers of a line by its state there, each group in the line's order. */
export function placedBy(servers: readonly PlacedServer[]) {
  const ids = (state: ReturnType<typeof placedState>) =>
    servers.filter((server) => placedState(server) === state).map(({ server_id }) => server_id);
  return { taken: ids('taken'), waits: ids('waits'), refused: ids('refused') };
}

/** The server to which the state of a line refers: the first one with the worst state. */
export function serverOfState({
  server_id,
  servers,
  sync_state,
}: Pick<Line, 'server_id' | 'servers' | 'sync_state'>): string {
  if (sync_state === 'synced') return server_id;
  return servers.find((server) => server.sync_state === sync_state)?.server_id ?? server_id;
}
