import type { Reply } from '@linekeeper/contract/endpoint.ts';
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
import { hasAddressChanged } from '../../domain/lines/move-lines.ts';
import type { ListedAccounts } from '../../domain/machines/card-server/driver.ts';
import { lockServers } from '../../domain/machines/locked-servers.ts';
import { openDriver } from '../../domain/machines/open-driver.ts';
import { isSameMachine } from '../../domain/machines/same-machine.ts';
import type { Action, Mutation } from '../../domain/use-cases/use-case.ts';
import { findServerRow } from './store.ts';

const noDifferences = () => ({
  same: 0,
  due: 0,
  missing: [] as string[],
  different: [] as { username: string; expiry_date: string; on_server: string | null }[],
  suspended: [] as string[],
  unknown: [] as string[],
  by_hand: [] as string[],
  other_panel: [] as string[],
  /** The server of each line of another machine whose account is here. */
  elsewhere: [] as Entry[],
});
type Differences = ReturnType<typeof noDifferences>;

/** All names that the panel has on this machine, under any of its servers. */
async function readWanted({ db }: Ctx, server: ServerRow) {
  const { id } = server;
  const { rows } = await sql<{
    username: string;
    expiry_date: string | null;
    is_suspended: boolean;
    is_due: boolean;
  }>`
    with machine as materialized (
      select entry.id from cccam_servers entry where ${isSameMachine('entry', server)})
    select coalesce(users.username, push.username) as username,
        case when users.server_id = ${id} then users.expiry_date end as expiry_date,
        users.suspension is not null as is_suspended,
        coalesce(push.revision > push.synced_revision, false) as is_due
      from (select * from users where server_id in (select id from machine)) as users
      full join (select * from server_accounts where server_id = ${id}) as push
        on push.username = users.username
    union all
    select username, null, false, false from server_accounts
      where server_id in (select id from machine) and server_id <> ${id}`.execute(db);
  return rows;
}

type Entry = Pick<ServerRow, 'id' | 'server_name'>;

interface Mark {
  /** The entry of another machine that the line is on. */
  elsewhere: Entry | null;
  /** False for a line that was never delivered from here: of another panel, or of this one before a backup was restored. */
  is_own: boolean;
}

/**
 * The lines whose marks a card server's accounts have, by id: one card server may be in two servers of the panel, at two
 * addresses, and in two panels.
 */
async function readMarks(
  { db }: Ctx,
  { id }: ServerRow,
  lines: ReadonlyMap<string, string> = new Map(),
): Promise<ReadonlyMap<string, Mark>> {
  if (lines.size === 0) return new Map();
  const { rows } = await sql<Mark & { line_id: string }>`
    select marked.id as line_id,
        case when entry.id <> ${id} then
          json_build_object('id', entry.id, 'server_name', entry.server_name) end as elsewhere,
        users.id is not null
          or exists (select from line_pushes where line_pushes.line_id = marked.id) as is_own
      from unnest(${[...new Set(lines.values())]}::uuid[]) as marked (id)
        left join users on users.id = marked.id
        left join cccam_servers entry on entry.id = users.server_id`.execute(db);
  return new Map(rows.map((row) => [row.line_id, row]));
}

async function compare(
  ctx: Ctx,
  server: ServerRow,
  listed: ListedAccounts & { ok: true },
): Promise<Differences> {
  const found = noDifferences();
  const known = new Set<string>();
  for (const line of await readWanted(ctx, server)) {
    const { username, expiry_date, is_due, is_suspended } = line;
    known.add(username);
    if (is_due) found.due += 1;
    // Lines of another server on the same machine are compared under that one.
    if (is_due || expiry_date === null) continue;
    const on_server = listed.accounts.get(username);
    const isOff = listed.disabled?.has(username) === true;
    if (is_suspended) {
      if (on_server === undefined || isOff) found.same += 1;
      else found.suspended.push(username);
    } else if (on_server === undefined) found.missing.push(username);
    else if (on_server === expiry_date && !isOff) found.same += 1;
    else found.different.push({ username, expiry_date, on_server });
  }
  const marks = await readMarks(ctx, server, listed.lines);
  for (const username of listed.accounts.keys()) {
    if (known.has(username)) continue;
    const mark = marks.get(listed.lines?.get(username) ?? '');
    if (mark?.elsewhere) found.elsewhere.push(mark.elsewhere);
    else if (listed.by_hand?.has(username)) found.by_hand.push(username);
    else if (mark?.is_own === false) found.other_panel.push(username);
    else found.unknown.push(username);
  }
  return found;
}

/** The differences, or the reason why there are none. */
async function look(ctx: Ctx, id: string) {
  const server = await findServerRow(ctx.db, id);
  const listed = await openDriver(ctx, server).list(ctx.stopping.signal);
  if (!listed.ok) return { server, found: null, finding: listed.finding, new_group: null };
  const { new_group = null } = listed;
  return { server, found: await compare(ctx, server, listed), finding: null, new_group };
}

function first<Item>(all: readonly Item[]) {
  return { count: all.length, items: all.slice(0, MAX_NAMED_DIFFERENCES) };
}

export const compareServer: Action<typeof contract.compareServer> = async (ctx, { params }) => {
  const { found, finding, new_group } = await look(ctx, params.id);
  const { same, due, missing, different, suspended, ...others } = found ?? noDifferences();
  return {
    offered: found !== null,
    ...findingWithMessage(finding),
    same,
    due,
    missing: first(missing.sort()),
    different: first(different),
    suspended: first(suspended.sort()),
    unknown: first(others.unknown.sort()),
    by_hand: first(others.by_hand.sort()),
    other_panel: first(others.other_panel.sort()),
    elsewhere: [...Map.groupBy(others.elsewhere, ({ id }) => id).values()].flatMap((entries) =>
      entries.slice(0, 1).map((entry) => ({ ...entry, accounts: entries.length })),
    ),
    new_group,
  } satisfies Comparison;
};

/** Queues the accounts that differ, or all where the server has no list. */
async function queueDiffering(
  tx: Tx,
  id: string,
  found: Differences | null,
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
 * the commit.
 */
export const mendServer: Mutation<
  typeof contract.mendServer,
  Reply<typeof contract.mendServer>,
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
    // The lock order is that of all other transactions: first the server, then its wanted states.
    const [server] = await lockServers(tx, [id]);
    // What another machine has says nothing about the one at the new address.
    const found = hasAddressChanged(looked.server, server) ? null : looked.found;
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
    // The finding of the last test is about all accounts, so one mended account does not end it.
    if (username !== undefined) return mended;
    await sql`update cccam_servers set status_finding = null
      where id = ${id} and status = 'active' and status_finding is not null`.execute(tx);
    return mended;
  },
  reply: async (_, mended) => mended,
};
