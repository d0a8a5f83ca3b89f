import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { lineUsername } from '@linekeeper/contract/fields/line-credentials.ts';
import { orphansList } from '@linekeeper/contract/lists/lists.ts';
import type * as contract from '@linekeeper/contract/servers/orphans.ts';
import type { Orphan } from '@linekeeper/contract/servers/orphans.ts';
import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../../db/transaction.ts';
import { auditOriginOf, writeAudit } from '../../../domain/audit/audit.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import { pushNow } from '../../../domain/delivery/pushes.ts';
import { syncReply } from '../../../domain/delivery/sync-reply.ts';
import { readNameProblems } from '../../../domain/lines/sent-names.ts';
import { lockServers } from '../../../domain/machines/locked-servers.ts';
import {
  canBeRemoved,
  findOrphans,
  forgetOrphans,
  isStillUnknown,
  type StoredOrphan,
} from '../../../domain/machines/orphans.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { escapeLike } from '../../../platform/paging/escape-like.ts';
import { filtered, type SortColumns } from '../../../platform/paging/filtered.ts';
import { type Page, readPage } from '../../../platform/paging/pages.ts';

const sortColumns: SortColumns<typeof orphansList> = {
  username: { ref: 'orphan.username', type: 'text' },
  // Names without a date come last, after the last day that there is.
  expiry_date: { ref: sql`coalesce(orphan.expiry_date, date '9999-12-31')`, type: 'date' },
  found_at: { ref: 'orphan.found_at', type: 'timestamptz' },
};

function orphans(db: Db) {
  return db
    .selectFrom('server_orphans as orphan')
    .innerJoin('cccam_servers as server', 'server.id', 'orphan.server_id')
    .where('server.status', '<>', 'inactive')
    .where(isStillUnknown);
}

/** A name that the panel would write otherwise could not be found on the server again. */
function isFit(username: string): boolean {
  const read = lineUsername.safeParse(username);
  return read.success && read.data === username;
}

export async function listOrphans(
  db: Db,
  query: Parsed<typeof contract.listOrphans>['query'],
): Promise<Page<Orphan>> {
  const matching = filtered(orphansList, orphans(db), query, {
    server_id: 'orphan.server_id',
    q: (text) => sql<SqlBool>`orphan.username like ${`%${escapeLike(text)}%`}`,
  });
  const rows = orphans(db)
    .leftJoin('users as line', 'line.username', 'orphan.username')
    .leftJoin('orphan_looks as look', 'look.server_id', 'orphan.server_id')
    .select([
      'orphan.id',
      'orphan.server_id',
      'server.server_name',
      'orphan.username',
      'orphan.expiry_date',
      'orphan.found_at',
      sql<boolean>`coalesce(look.tells_passwords, false)`.as('tells_password'),
      'line.id as line_id',
      canBeRemoved.as('can_remove'),
    ]);
  const page = await readPage(db, query, sortColumns, 'orphan.id', matching, rows);
  const problemOf = await readNameProblems(db, page.items);
  return {
    ...page,
    items: page.items.map(({ found_at, ...orphan }) => ({
      ...orphan,
      found_at: found_at.toISOString(),
      refusal: refusalOf(orphan),
      name_problem: problemOf(orphan),
    })),
  };
}

function refusalOf({ username, line_id }: Pick<Orphan, 'username' | 'line_id'>): Orphan['refusal'] {
  if (!isFit(username)) return 'ORPHAN_NAME_UNFIT';
  return line_id ? 'USERNAME_EXISTS' : null;
}

type Account = Pick<StoredOrphan, 'server_id' | 'username'>;

interface Removed {
  removed: number;
  /** Where one alone was named. */
  one: Account | null;
}

/** The result of the push of an account that was named alone. */
export async function pushNamed(ctx: Ctx, one: Account | null) {
  if (!one) return { sync: null, sync_finding: null };
  return syncReply(await pushNow(ctx, one.server_id, one.username));
}

/** Queues their deletion. A name that is wanted on its server by now stays: its row is left alone. */
async function queueRemovals(tx: Tx, orphans: readonly StoredOrphan[]): Promise<Account[]> {
  const { rows } = await sql<Account>`
    insert into server_accounts (server_id, username, wanted, operation, on_server)
      select server_id, username, null, 'delete', true
        from unnest(${orphans.map(({ server_id }) => server_id)}::uuid[],
          ${orphans.map(({ username }) => username)}::text[]) as orphan (server_id, username)
        order by server_id, username
    on conflict do nothing
    returning server_id, username`.execute(tx);
  const inOrder = orphans.map(({ server_id, username }) => ({ server_id, username }));
  const queued = new Set(rows.map((row) => `${row.server_id} ${row.username}`));
  return inOrder.filter((row) => queued.has(`${row.server_id} ${row.username}`));
}

export const removeOrphans: Mutation<typeof contract.removeOrphans, Removed> = {
  audit: { auditsItself: 'an entry for each name' },
  commit: async (tx, ctx, { body: { ids } }) => {
    const named = await findOrphans(tx, ids);
    if (named.length > 0) {
      await lockServers(tx, [...new Set(named.map(({ server_id }) => server_id))]);
    }
    // Read again: others may have adopted or removed them before the lock.
    const found = await findOrphans(tx, ids);
    const orphans = found.filter(({ can_remove }) => can_remove);
    if (found.length > 0 && ids.length === 1 && orphans.length === 0) fail('ORPHAN_KEPT');
    const removed = await queueRemovals(tx, orphans);
    await forgetOrphans(tx, orphans);
    if (removed.length === 0 && ids.length === 1) fail('ORPHAN_GONE');
    await writeAudit(
      tx,
      auditOriginOf(ctx),
      removed.map(({ server_id, username }) => ({
        action: 'server.remove_orphan',
        subject_type: 'server',
        subject_id: server_id,
        data: { username },
      })),
    );
    const [first = null] = removed;
    return { removed: removed.length, one: ids.length === 1 ? first : null };
  },
  reply: async (ctx, { removed, one }) => ({ removed, ...(await pushNamed(ctx, one)) }),
};
