import { findingWithMessage } from '@linekeeper/contract/findings.ts';
import type * as contract from '@linekeeper/contract/servers/compare.ts';
import { type Comparison, MAX_NAMED_DIFFERENCES } from '@linekeeper/contract/servers/compare.ts';
import { sql } from 'kysely';
import type { ServerRow } from '../../db/schema/schema.ts';
import type { Tx } from '../../db/transaction.ts';
import { serverActedUpon } from '../../domain/audit/audit-subjects.ts';
import type { Ctx } from '../../domain/context/context.ts';
import {
  deliverAgain,
  deliverLines,
  deliverLost,
  isThereInDoubt,
  removeUnknown,
} from '../../domain/delivery/settle.ts';
import type { ListedAccounts } from '../../domain/machines/card-server/driver.ts';
import { differ, type KnownAccount, readAccounts } from '../../domain/machines/comparison.ts';
import { hasAddressChanged } from '../../domain/machines/same-machine.ts';
import { findServerRow, lockServers } from '../../domain/machines/servers.ts';
import type { Action, PlainMutation } from '../../domain/use-cases/use-case.ts';

type Entry = Pick<ServerRow, 'id' | 'server_name'>;

interface Mark {
  /** The entry of another machine that the line is now on. */
  elsewhere: Entry | null;
  /**
   * False for a line that this panel has never delivered: it belongs to another panel, or to this
   * one before a backup was restored.
   */
  is_own: boolean;
}

/**
 * The lines named by the marks of a card server's accounts, by id. One card server may be two
 * servers of the panel, at two addresses, and may be used by two panels.
 */
async function readMarks(
  { db }: Ctx,
  { id }: ServerRow,
  lines: ReadonlyMap<string, string> = new Map(),
): Promise<ReadonlyMap<string, Mark>> {
  if (lines.size === 0) return new Map();
  const { rows } = await sql<Mark & { line_id: string }>`
    select marked.id as line_id,
        case when ${id} <> all(array(select at from servers_of(entry.id, users.plan_id) as at)) then
          json_build_object('id', entry.id, 'server_name', entry.server_name) end as elsewhere,
        users.id is not null
          or exists (select from line_pushes where line_pushes.line_id = marked.id) as is_own
      from unnest(${[...new Set(lines.values())]}::uuid[]) as marked (id)
        left join users on users.id = marked.id
        left join cccam_servers entry on entry.id = users.server_id`.execute(db);
  return new Map(rows.map((row) => [row.line_id, row]));
}

/** The differences of an entry's accounts, and the machine's accounts that the panel does not know. */
async function compare(
  ctx: Ctx,
  server: ServerRow,
  known: readonly KnownAccount[],
  listed: ListedAccounts & { ok: true },
) {
  const { due, same, lost, different, running, unknown, by_hand } = differ(known, listed);
  const isHere = ({ server_id }: KnownAccount) => server_id === server.id;
  // Accounts of another entry's lines, and former accounts that lines still use, are no difference of this entry.
  const own = <Account extends KnownAccount>(accounts: readonly Account[]) =>
    accounts.filter((account) => isHere(account) && account.is_own);
  const namesOf = (accounts: readonly KnownAccount[]) =>
    own(accounts)
      .map(({ username }) => username)
      .sort();
  const marks = await readMarks(ctx, server, listed.lines);
  const markOf = (username: string) => marks.get(listed.lines?.get(username) ?? '');
  const strangers = unknown.filter((username) => !markOf(username)?.elsewhere);
  return {
    due: due.filter(isHere).length,
    same: own(same).length,
    missing: namesOf(lost),
    different: own(different).map(({ username, expiry_date, listed_day }) => ({
      ...{ username, expiry_date },
      on_server: listed_day,
    })),
    suspended: namesOf(running),
    unknown: strangers.filter((username) => markOf(username)?.is_own !== false).sort(),
    by_hand: by_hand.sort(),
    other_panel: strangers.filter((username) => markOf(username)?.is_own === false).sort(),
    elsewhere: unknown.flatMap((username) => markOf(username)?.elsewhere ?? []),
    new_group: listed.new_group ?? null,
  };
}

/** The list of a server that cannot list its accounts. Nothing differs from this list. */
const NO_LIST = { ok: true, accounts: new Map(), tells_passwords: false } as const;

/** Compares a server; returns the differences, or the reason why they cannot be found. Throws SERVER_NOT_FOUND. */
async function look(ctx: Ctx, id: string) {
  const server = await findServerRow(ctx.db, id);
  const { known, listed } = await readAccounts(ctx, server);
  const found = await (listed.ok
    ? compare(ctx, server, known, listed)
    : compare(ctx, server, [], NO_LIST));
  return { server, found, finding: listed.ok ? null : listed.finding };
}

function first<Item>(all: readonly Item[]) {
  return { count: all.length, items: all.slice(0, MAX_NAMED_DIFFERENCES) };
}

/**
 * Compares the accounts of a card server with the lines of the panel, and returns the differences. Throws
 * SERVER_NOT_FOUND.
 */
export const compareServer: Action<typeof contract.compareServer> = async (ctx, { params }) => {
  const { found, finding } = await look(ctx, params.id);
  const elsewhere = Map.groupBy(found.elsewhere, ({ id }) => id);
  return {
    offered: finding === null,
    ...findingWithMessage(finding),
    same: found.same,
    due: found.due,
    missing: first(found.missing),
    different: first(found.different),
    suspended: first(found.suspended),
    unknown: first(found.unknown),
    by_hand: first(found.by_hand),
    other_panel: first(found.other_panel),
    elsewhere: [...elsewhere.values()].flatMap((entries) =>
      entries.slice(0, 1).map((entry) => ({ ...entry, accounts: entries.length })),
    ),
    new_group: found.new_group,
  } satisfies Comparison;
};

/** Queues the accounts that differ, or all if the server has no list. */
async function queueDiffering(
  tx: Tx,
  id: string,
  found: Awaited<ReturnType<typeof compare>> | null,
  username: string | undefined,
): Promise<number> {
  if (!found) {
    if (username !== undefined) return deliverLines(tx, id, [username]);
    return deliverAgain(tx, sql`server_id = ${id} and of_line is not null`, isThereInDoubt);
  }
  const different = found.different.map((one) => one.username);
  const differing = [...found.missing, ...found.suspended, ...different];
  if (username === undefined) {
    return (await deliverLines(tx, id, differing)) + (await deliverLost(tx, id));
  }
  return differing.includes(username) ? deliverLines(tx, id, [username]) : 0;
}

/**
 * Repairs all differences; queues every line if the server has no list. Compares again outside the
 * transaction, because that calls the server; lines changed since then are written as they are at
 * the commit. Throws SERVER_NOT_FOUND.
 */
export const mendServer: PlainMutation<
  typeof contract.mendServer,
  Awaited<ReturnType<typeof look>>
> = {
  audit: {
    action: 'server.mend',
    subject: serverActedUpon,
    of: ({ params }) => params.id,
    data: (_, mended) => ({ ...mended }),
  },
  prepare: (ctx, { params }) => look(ctx, params.id),
  commit: async (tx, _ctx, { params: { id }, body }, looked) => {
    // Locks are taken in the order of all other transactions: first the server, then its wanted states.
    const [server] = await lockServers(tx, [id]);
    // The accounts of another machine prove nothing about the one at the new address.
    const isKnown = looked.finding === null && !hasAddressChanged(looked.server, server);
    const found = isKnown ? looked.found : null;
    const { username, remove_unknown } = body;
    const unknown = (found && remove_unknown ? found.unknown : []).filter(
      (one) => username === undefined || one === username,
    );
    const queued = await queueDiffering(tx, id, found, username);
    const removed = await removeUnknown(
      tx,
      unknown.map(() => id),
      unknown,
    );
    const mended = { queued, removed: removed.length };
    // The finding of the last test is about all accounts, so it stays after the repair of one account.
    if (username !== undefined) return mended;
    await sql`update cccam_servers set status_finding = null
      where id = ${id} and status = 'active' and status_finding is not null`.execute(tx);
    return mended;
  },
};
