import { sql } from 'kysely';
import { fixedStatement } from '../db/fixed-statement.ts';
import type { ServerRow } from '../db/schema.ts';
import type { Db, Tx } from '../db/transaction.ts';
import { fail } from './refusal.ts';

const lockedServers = (db: Db) =>
  db
    .selectFrom('cccam_servers')
    .select(['id', 'host_ip', 'port', 'status'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(sql.lit(1))
    .forKeyShare();
const findServer = fixedStatement(['id'], (db, { id }) => lockedServers(db).where('id', '=', id));
const findNewestActive = fixedStatement([], (db) =>
  lockedServers(db).where('status', '=', sql.lit('active')),
);

/**
 * Picks the server for a line: the named one, or the newest active one. Throws SERVER_NOT_FOUND, or
 * `refusal` if none accepts lines. Locks the row against deletion until the transaction ends.
 */
export async function chooseServer(
  tx: Tx,
  id: string | undefined,
  refusal: 'NO_ACTIVE_SERVERS' | 'NO_ACTIVE_CCCAM_SERVERS' = 'NO_ACTIVE_SERVERS',
): Promise<Pick<ServerRow, 'id' | 'host_ip' | 'port' | 'status'>> {
  const [server] = id ? await findServer(tx, { id }) : await findNewestActive(tx, {});
  if (!server && id) return fail('SERVER_NOT_FOUND');
  return server?.status === 'active' ? server : fail(refusal);
}

/** The default entry of a line's addresses, to which the subscriber's device connects. */
export function defaultHostPort(server: Pick<ServerRow, 'host_ip' | 'port'>): string {
  return `${server.host_ip}:${server.port}`;
}
