import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { findingWithMessage } from '@linekeeper/contract/findings.ts';
import { pushesList } from '@linekeeper/contract/lists/lists.ts';
import type * as contract from '@linekeeper/contract/servers/sync.ts';
import type { Push } from '@linekeeper/contract/servers/sync.ts';
import { type Selectable, type SqlBool, sql } from 'kysely';
import type { ServerAccountsTable } from '../../db/schema/schema.ts';
import type { Db } from '../../db/transaction.ts';
import { retrySeconds } from '../../domain/delivery/push-claims.ts';
import { isDue } from '../../domain/machines/server-accounts.ts';
import { escapeLike } from '../../platform/paging/escape-like.ts';
import { filtered, type SortColumns } from '../../platform/paging/filtered.ts';
import { type Page, readPage } from '../../platform/paging/pages.ts';

/** The API's id for a push, derived from server and username, its key. */
const idOf = sql<string>`cast(substr(encode(sha256(convert_to(
  server_accounts.server_id || '/' || server_accounts.username, 'UTF8')), 'hex'), 1, 32) as uuid)`;

const state = sql<Push['state']>`case when server_accounts.attempts > 0
  then 'failed' else 'pending' end`;

type Tried = Pick<Selectable<ServerAccountsTable>, 'attempts' | 'next_try_at' | 'wanted_since'>;

const sortColumns: SortColumns<typeof pushesList> = {
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
        'server_accounts.last_finding as finding',
        'server_accounts.wanted_since',
      ])
      .as('push'),
  );
}

/** SQL of the time of the last attempt; before the first attempt, the time of the change. */
const lastTry = ({ attempts, next_try_at, wanted_since }: Tried) =>
  attempts === 0
    ? wanted_since
    : new Date(next_try_at.getTime() - retrySeconds(attempts - 1) * 1000);

export async function listPushes(
  db: Db,
  query: Parsed<typeof contract.listPushes>['query'],
): Promise<Page<Push>> {
  const matching = filtered(pushesList, duePushes(db), query, {
    state: 'push.state',
    operation: 'push.operation',
    server_id: 'push.server_id',
    q: (text) => sql<SqlBool>`push.username like ${`%${escapeLike(text)}%`}`,
  });
  const rows = duePushes(db).selectAll('push');
  const page = await readPage(db, query, sortColumns, 'push.id', matching, rows);
  return {
    ...page,
    items: page.items.map(({ next_try_at, wanted_since, ...push }) => ({
      ...push,
      message: findingWithMessage(push.finding).message,
      next_try_at: next_try_at.toISOString(),
      updated_at: lastTry({ ...push, next_try_at, wanted_since }).toISOString(),
    })),
  };
}

/** Finds a push by its id if it is still due. */
export async function findPush(db: Db, id: string) {
  return db
    .selectFrom('server_accounts')
    .select(['server_id', 'username'])
    .where(isDue)
    .where(sql<SqlBool>`${idOf} = ${id}::uuid`)
    .executeTakeFirst();
}

/** Makes pushes due immediately: the given ones, or all. Returns their number. */
export async function tryAgainNow(db: Db, ids: readonly string[] | null): Promise<number> {
  const isMeant = ids ? sql`${idOf} = any (${ids}::uuid[])` : sql`true`;
  // Skips pushes in progress, because waiting for their locks could deadlock.
  const { numAffectedRows } = await sql`
    update server_accounts set next_try_at = now()
      where (server_id, username) in (
        select server_id, username from server_accounts where ${isDue} and ${isMeant}
          for update skip locked)`.execute(db);
  return Number(numAffectedRows);
}
