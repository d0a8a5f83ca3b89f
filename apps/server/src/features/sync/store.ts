import type { Push } from '@linekeeper/contract/sync.ts';
import { type SqlBool, sql } from 'kysely';
import { literalInPattern } from '../../core/literal.ts';
import { type Page, readPage, type SortColumn } from '../../core/pages.ts';
import { isDue } from '../../core/server-accounts.ts';
import type { Db } from '../../db/transaction.ts';

/** A row is told by server and name; clients get one id made of both. */
const idOf = sql<string>`cast(substr(encode(sha256(convert_to(
  server_accounts.server_id || '/' || server_accounts.username, 'UTF8')), 'hex'), 1, 32) as uuid)`;

const state = sql<Push['state']>`case when server_accounts.attempts > 0
  then 'failed' else 'pending' end`;

const sortColumns: Record<string, SortColumn> = {
  next_try_at: { ref: 'push.next_try_at', type: 'timestamptz' },
  username: { ref: 'push.username', type: 'text' },
};

function duePushes(db: Db) {
  return db.selectFrom((from) =>
    from
      .selectFrom('server_accounts')
      .innerJoin('cccam_servers', 'cccam_servers.id', 'server_accounts.server_id')
      .where(isDue)
      .select([
        idOf.as('id'),
        'server_accounts.server_id',
        'cccam_servers.server_name',
        'server_accounts.username',
        'server_accounts.operation',
        state.as('state'),
        'server_accounts.attempts',
        'server_accounts.next_try_at',
        'server_accounts.last_message as message',
        'server_accounts.updated_at',
      ])
      .as('push'),
  );
}

export async function listPushes(
  db: Db,
  query: {
    q?: string | undefined;
    state?: Push['state'] | undefined;
    server_id?: string | undefined;
    limit: number;
    sort: string;
    cursor?: string | undefined;
  },
): Promise<Page<Push>> {
  let matching = duePushes(db);
  if (query.state) matching = matching.where('push.state', '=', query.state);
  if (query.server_id) matching = matching.where('push.server_id', '=', query.server_id);
  if (query.q) {
    matching = matching.where('push.username', 'like', `%${literalInPattern(query.q)}%`);
  }
  const rows = duePushes(db).selectAll('push');
  const page = await readPage(db, query, sortColumns, 'push.id', matching, rows);
  return {
    ...page,
    items: page.items.map(({ next_try_at, updated_at, ...push }) => ({
      ...push,
      next_try_at: next_try_at.toISOString(),
      updated_at: updated_at.toISOString(),
    })),
  };
}

/** Makes them due at once: those named, or all. Returns how many there are. */
export async function tryAgainNow(db: Db, ids: readonly string[] | null): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('server_accounts')
    .set({ next_try_at: sql`now()` })
    .where(isDue)
    .where(ids ? sql<SqlBool>`${idOf} = any (${ids}::uuid[])` : sql<SqlBool>`true`)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
