import type * as contract from '@linekeeper/contract/compare.ts';
import { type Comparison, MAX_NAMED_DIFFERENCES } from '@linekeeper/contract/compare.ts';
import { sql } from 'kysely';
import { audit } from '../../core/audit.ts';
import { failedToConnect } from '../../core/card-server/check-connection.ts';
import { type ListedAccounts, listAccounts } from '../../core/card-server/list-accounts.ts';
import type { Ctx } from '../../core/context.ts';
import { fail } from '../../core/refusal.ts';
import { deliverAgain, removeUnknown } from '../../core/server-accounts.ts';
import type { Action, Mutation } from '../../core/use-case.ts';
import type { ServerRow } from '../../db/schema.ts';

interface Differences {
  same: number;
  due: number;
  missing: string[];
  different: { username: string; expiry_date: string; on_server: string | null }[];
  unknown: string[];
}

async function readServer({ db }: Ctx, id: string): Promise<ServerRow> {
  const server = await db
    .selectFrom('cccam_servers')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return server ?? fail('SERVER_NOT_FOUND');
}

function listOn(ctx: Ctx, server: ServerRow): Promise<ListedAccounts> {
  const password = ctx.secrets.open(server.password, server.id);
  return listAccounts(ctx.outbound, { ...server, password }, ctx.stopping.signal);
}

/** Names that the panel has on this machine, by whichever of its servers that is. */
async function readWanted({ db }: Ctx, { id, host_ip, api_port }: ServerRow) {
  const { rows } = await sql<{
    username: string;
    expiry_date: string | null;
    is_due: boolean;
  }>`
    select coalesce(users.username, push.username) as username,
        case when users.server_id = ${id} then users.expiry_date end as expiry_date,
        coalesce(push.revision > push.synced_revision, false) as is_due
      from (select * from users where server_id in (
          select id from cccam_servers
            where lower(host_ip) = lower(${host_ip}) and api_port = ${api_port})) as users
      full join (select * from server_accounts where server_id = ${id}) as push
        on push.username = users.username`.execute(db);
  return rows;
}

async function compare(
  ctx: Ctx,
  server: ServerRow,
  listed: ListedAccounts & { ok: true },
): Promise<Differences> {
  const found: Differences = { same: 0, due: 0, missing: [], different: [], unknown: [] };
  const known = new Set<string>();
  for (const { username, expiry_date, is_due } of await readWanted(ctx, server)) {
    known.add(username);
    if (is_due) found.due += 1;
    // A line of another entry for the same machine is compared there.
    if (is_due || expiry_date === null) continue;
    const on_server = listed.accounts.get(username);
    if (on_server === undefined) found.missing.push(username);
    else if (on_server === expiry_date) found.same += 1;
    else found.different.push({ username, expiry_date, on_server });
  }
  found.unknown = [...listed.accounts.keys()].filter((username) => !known.has(username));
  return found;
}

/** The differences, or why there are none to be had. */
async function look(ctx: Ctx, id: string) {
  const server = await readServer(ctx, id);
  const listed = await listOn(ctx, server);
  if (listed.ok) return { found: await compare(ctx, server, listed), message: null };
  const message = listed.reason
    ? failedToConnect({ reason: listed.reason })
    : `The card server has no list of its users. HTTP status: ${listed.status}`;
  return { found: null, message };
}

function first<Item>(all: readonly Item[]) {
  return { count: all.length, items: all.slice(0, MAX_NAMED_DIFFERENCES) };
}

export const compareServer: Action<typeof contract.compareServer> = async (ctx, { params }) => {
  const { found, message } = await look(ctx, params.id);
  const { same, due, missing, different, unknown }: Differences = found ?? {
    same: 0,
    due: 0,
    missing: [],
    different: [],
    unknown: [],
  };
  return {
    offered: found !== null,
    message,
    same,
    due,
    missing: first(missing.sort()),
    different: first(different),
    unknown: first(unknown.sort()),
  } satisfies Comparison;
};

interface Mended {
  delivered: number;
  removed: number;
}

/** Looks anew, outside the transaction: what it then writes holds whatever has changed meanwhile. */
export const mendServer: Mutation<typeof contract.mendServer, Mended, Differences | null> = {
  prepare: async (ctx, { params }) => (await look(ctx, params.id)).found,
  commit: async (tx, { actor }, { params: { id }, body }, found) => {
    const differing = found
      ? [...found.missing, ...found.different.map(({ username }) => username)]
      : [];
    const unknown = found && body.remove_unknown ? found.unknown : [];
    const mended = {
      delivered: await deliverAgain(tx, id, differing),
      removed: await removeUnknown(tx, id, unknown),
    };
    await audit(tx, {
      actor_id: actor.id,
      action: 'server.mend',
      subject_type: 'server',
      subject_id: id,
      data: { ...mended },
    });
    return mended;
  },
  reply: async (_, mended) => mended,
};
