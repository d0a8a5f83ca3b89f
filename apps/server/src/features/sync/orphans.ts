import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { lineUsername } from '@linekeeper/contract/fields/line-credentials.ts';
import { type Finding, findingWithMessage } from '@linekeeper/contract/findings.ts';
import { orphansList } from '@linekeeper/contract/lists/lists.ts';
import type * as contract from '@linekeeper/contract/servers/orphans.ts';
import type { Orphan } from '@linekeeper/contract/servers/orphans.ts';
import { type SqlBool, sql } from 'kysely';
import type { ServerRow } from '../../db/schema/schema.ts';
import { type Db, type Tx, transact } from '../../db/transaction.ts';
import { auditOriginOf, writeAudit } from '../../domain/audit/audit.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { pushNow, syncReply } from '../../domain/delivery/pushes.ts';
import { removeUnknown } from '../../domain/delivery/settle.ts';
import { readNameProblems } from '../../domain/lines/sent-names.ts';
import type { ListedAccounts } from '../../domain/machines/card-server/driver.ts';
import {
  differ,
  type KnownAccount,
  MANY_ACCOUNTS,
  readAccounts,
} from '../../domain/machines/comparison.ts';
import {
  canBeRemoved,
  forgetOrphans,
  isStillUnknown,
  lockOrphans,
  type StoredOrphan,
} from '../../domain/machines/orphans.ts';
import { isSameMachine } from '../../domain/machines/same-machine.ts';
import type { Action, Mutation } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import { escapeLike } from '../../platform/paging/escape-like.ts';
import { filtered, type SortColumns } from '../../platform/paging/filtered.ts';
import { type Page, readPage } from '../../platform/paging/pages.ts';
import { mapAtMost } from '../../platform/semaphore.ts';

const sortColumns: SortColumns<typeof orphansList> = {
  username: { ref: 'orphan.username', type: 'text' },
  // Names without a date come last, by the latest possible date.
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

/**
 * True for a name that the panel would write in the same way; otherwise the account could not be
 * found again on the server.
 */
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
      refusal: isFit(orphan.username)
        ? orphan.line_id
          ? 'USERNAME_EXISTS'
          : null
        : 'ORPHAN_NAME_UNFIT',
      name_problem: problemOf(orphan),
    })),
  };
}

type Account = Pick<StoredOrphan, 'server_id' | 'username'>;

interface Removed {
  removed: number;
  /** The single account that the request names; null if it names several. */
  one: Account | null;
}

/** Pushes the account of a request that names exactly one, and returns the result. */
export async function pushNamed(ctx: Ctx, one: Account | null) {
  if (!one) return { sync: null, sync_finding: null };
  return syncReply(await pushNow(ctx, one.server_id, one.username));
}

/**
 * Removes unknown accounts. Throws SERVER_NOT_FOUND and, for a request with one account, ORPHAN_KEPT and ORPHAN_GONE.
 */
export const removeOrphans: Mutation<typeof contract.removeOrphans, Removed> = {
  audit: { auditsItself: 'an entry for each name' },
  commit: async (tx, ctx, { body: { ids } }) => {
    const found = await lockOrphans(tx, ids);
    const orphans = found.filter(({ can_remove }) => can_remove);
    if (found.length > 0 && ids.length === 1 && orphans.length === 0) fail('ORPHAN_KEPT');
    const removed = await removeUnknown(
      tx,
      orphans.map(({ server_id }) => server_id),
      orphans.map(({ username }) => username),
    );
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

const AT_A_TIME = 8;
/** Seconds for which a search is leased; longer than reading any list may take. */
const LEASE_SECONDS = 30;
const LOOK_EVERY_SECONDS = 10;
export const LOOK_AT_MANY_EVERY_SECONDS = 5 * 60;

type Claimed = ServerRow & { revision: number };

/** SQL condition: the server is in use, and is the oldest of the entries for its machine. */
const isLookedAt = sql`server.status <> 'inactive' and not exists (
  select from cccam_servers older
    where older.id <> server.id and older.status <> 'inactive'
      and ${isSameMachine('older', 'server')}
      and (older.created_at, older.id) < (server.created_at, server.id))`;

/** Claims the searches that are due, so that several open pages cause one call to a server. */
async function claimLooks(tx: Tx): Promise<Claimed[]> {
  await sql`insert into orphan_looks (server_id) select id from cccam_servers
    on conflict do nothing`.execute(tx);
  await sql`delete from server_orphans orphan using cccam_servers server
    where server.id = orphan.server_id and not (${isLookedAt})`.execute(tx);
  const { rows } = await sql<Claimed>`
    with due as materialized (
      select look.server_id from orphan_looks look
        join cccam_servers server on server.id = look.server_id
        where ${isLookedAt} and next_look_at <= now()
        order by look.server_id for update of look skip locked)
    update orphan_looks look
      set next_look_at = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
      from due join cccam_servers server on server.id = due.server_id
      where look.server_id = due.server_id
      returning server.*, look.revision`.execute(tx);
  return rows;
}

async function look(ctx: Ctx, server: Claimed): Promise<void> {
  const { known, listed } = await readAccounts(ctx, server);
  if (ctx.stopping.signal.aborted) return;
  await transact(ctx.db, (tx) => keepLook(tx, server, listed, known));
}

async function keepLook(
  tx: Tx,
  { id, revision }: Claimed,
  listed: ListedAccounts,
  known: readonly KnownAccount[],
): Promise<void> {
  const isMany = listed.ok && listed.accounts.size > MANY_ACCOUNTS;
  const seconds = isMany ? LOOK_AT_MANY_EVERY_SECONDS : LOOK_EVERY_SECONDS;
  const finding = listed.ok ? null : JSON.stringify(listed.finding);
  const { numUpdatedRows } = await tx
    .updateTable('orphan_looks')
    .set({
      looked_at: sql`now()`,
      next_look_at: sql`now() + make_interval(secs => ${seconds})`,
      finding,
      ...(listed.ok ? { tells_passwords: listed.tells_passwords } : {}),
    })
    .where('server_id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirstOrThrow();
  // The orphans changed while the server was read, so another search is due.
  if (numUpdatedRows === 0n) {
    await sql`update orphan_looks set next_look_at = now() where server_id = ${id}`.execute(tx);
  } else if (listed.ok) await keepOrphans(tx, id, listed, known);
}

async function keepOrphans(
  tx: Tx,
  id: string,
  listed: ListedAccounts & { ok: true },
  known: readonly KnownAccount[],
): Promise<void> {
  const { unknown, by_hand } = differ(known, listed);
  const rows = JSON.stringify(
    [...unknown, ...by_hand].map((username) => ({
      ...{ id: newId(), username },
      expiry_date: listed.accounts.get(username),
    })),
  );
  await sql`delete from server_orphans orphan where server_id = ${id} and not exists (
    select from jsonb_to_recordset(${rows}::jsonb) as found (username text)
      where found.username = orphan.username)`.execute(tx);
  await sql`insert into server_orphans (id, server_id, username, expiry_date)
    select found.id, ${id}::uuid, found.username, found.expiry_date
      from jsonb_to_recordset(${rows}::jsonb)
        as found (id uuid, username text, expiry_date date)
      order by found.username
    on conflict (server_id, username) do update set expiry_date = excluded.expiry_date
      where server_orphans.expiry_date is distinct from excluded.expiry_date`.execute(tx);
}

async function readLooks(db: Db) {
  const { rows } = await sql<{
    server_id: string;
    server_name: string;
    looked_at: Date | null;
    finding: Finding | null;
  }>`
    select look.server_id, server.server_name, look.looked_at, look.finding
      from orphan_looks look join cccam_servers server on server.id = look.server_id
      where ${isLookedAt}
      order by server.server_name, server.id`.execute(db);
  return rows.map(({ looked_at, finding, ...server }) => ({
    ...server,
    looked_at: looked_at?.toISOString() ?? null,
    ...findingWithMessage(finding),
  }));
}

/**
 * Looks for orphans on every server that has not been searched lately. Resolves once all have responded or timed out; a
 * failure of one is logged.
 */
export const lookForOrphans: Action<typeof contract.lookForOrphans> = async (ctx) => {
  const due = await transact(ctx.db, claimLooks);
  await mapAtMost(AT_A_TIME, due, async (server) => {
    try {
      await look(ctx, server);
    } catch (error) {
      ctx.log.error({ err: error, server_id: server.id }, 'orphans could not be looked for');
    }
  });
  return { items: await readLooks(ctx.db) };
};
