import type { ServerRow } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';
import { fail } from './refusal.ts';

/**
 * The server a line goes to: the named one, or the newest active one. Throws SERVER_NOT_FOUND, and
 * `refusal` where none may take it. The row is locked against deletion until the line stands.
 */
export async function chooseServer(
  tx: Tx,
  id: string | undefined,
  refusal: 'NO_ACTIVE_SERVERS' | 'NO_ACTIVE_CCCAM_SERVERS' = 'NO_ACTIVE_SERVERS',
): Promise<Pick<ServerRow, 'id' | 'host_ip' | 'port' | 'status'>> {
  let servers = tx
    .selectFrom('cccam_servers')
    .select(['id', 'host_ip', 'port', 'status'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .forKeyShare();
  servers = id ? servers.where('id', '=', id) : servers.where('status', '=', 'active');
  const server = await servers.executeTakeFirst();
  if (!server && id) return fail('SERVER_NOT_FOUND');
  return server?.status === 'active' ? server : fail(refusal);
}

/** What a line's list of addresses begins with: where its subscriber connects. */
export function defaultHostPort(server: Pick<ServerRow, 'host_ip' | 'port'>): string {
  return `${server.host_ip}:${server.port}`;
}
