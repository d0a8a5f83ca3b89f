import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { isVisibleTo, type Scope } from '../context/access.ts';
import { defaultHostPort, serversOfUser } from '../machines/servers.ts';

/**
 * The line and its servers in order, from which the settings of receivers are made. `host_port` is the address at which
 * the line is reached: its own on its first server, if it has one. Throws LINE_NOT_FOUND.
 */
export async function findForReceivers(db: Db, scope: Scope, id: string) {
  const rows = await db
    .selectFrom('users')
    .innerJoin('cccam_servers as server', (join) =>
      join.on(sql<SqlBool>`server.id = any(${serversOfUser})`),
    )
    .leftJoin('plan_servers as place', (join) =>
      join.onRef('place.plan_id', '=', 'users.plan_id').onRef('place.server_id', '=', 'server.id'),
    )
    .select(['users.username', 'users.password as sealed', 'users.host_port'])
    .select(['users.protocol as line_protocol', 'users.expiry_date'])
    .select(['server.id as server_id', 'server.server_name', 'server.host_ip', 'server.port'])
    .select(['server.public_host', 'server.public_port'])
    .select(['server.protocol', 'server.des_key', 'server.newcamd_ports'])
    .select(['server.status', 'server.status_finding', 'server.away_at', 'server.last_connection'])
    .where('users.id', '=', id)
    .where(isVisibleTo(scope, 'users.owner_id'))
    .orderBy(sql`server.id <> users.server_id`)
    .orderBy('place.position')
    .execute();
  const servers = rows.map((server, index) => {
    const [own] = index === 0 ? server.host_port : [];
    return { ...server, host_port: own ?? defaultHostPort(server) };
  });
  const [first] = servers;
  return first ? { ...first, servers } : fail('LINE_NOT_FOUND');
}
