import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import type { sessionsList } from '@linekeeper/contract/lists/lists.ts';
import type * as contract from '@linekeeper/contract/servers/presence.ts';
import type { OnlineLine } from '@linekeeper/contract/servers/presence.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { escapeLike } from '../../platform/paging/escape-like.ts';
import type { SortColumns } from '../../platform/paging/filtered.ts';
import { type Page, readPage } from '../../platform/paging/pages.ts';
import { findServerRow } from './store.ts';

const sortColumns: SortColumns<typeof sessionsList> = {
  since: { ref: 'line_presence.since', type: 'timestamptz' },
  username: { ref: 'users.username', type: 'text' },
  connections: { ref: 'line_presence.connections', type: 'bigint' },
};

/** The lines of a server that were on at its last reading. */
export async function listSessions(
  db: Db,
  serverId: string,
  query: Parsed<typeof contract.serverSessions>['query'],
): Promise<Page<OnlineLine>> {
  await findServerRow(db, serverId);
  const online = db
    .selectFrom('line_presence')
    .innerJoin('users', (join) =>
      join
        .onRef('users.id', '=', 'line_presence.line_id')
        .onRef('users.server_id', '=', 'line_presence.server_id'),
    )
    .where('line_presence.server_id', '=', serverId)
    .where('line_presence.connections', '>', 0);
  const matching = query.q
    ? online.where('users.username', 'like', `${escapeLike(query.q)}%`)
    : online;
  const rows = online
    .leftJoin('line_usage_hours as used', (join) =>
      join
        .onRef('used.line_id', '=', 'users.id')
        .on('used.hour', '=', sql<Date>`date_trunc('hour', now())`),
    )
    .select([
      'users.id',
      'users.username',
      'line_presence.connections',
      'line_presence.sessions',
      'line_presence.since',
      sql<number>`coalesce(requests_ok, 0)`.as('requests_ok'),
      sql<number>`coalesce(requests_refused, 0)`.as('requests_refused'),
    ]);
  const page = await readPage(db, query, sortColumns, 'users.id', matching, rows);
  const items = page.items.map(({ id: line_id, since, ...line }) => ({
    ...{ line_id, since: since.toISOString() },
    ...line,
  }));
  return { ...page, items };
}
