import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../db/transaction.ts';
import { fail } from './refusal.ts';
import { defaultHostPort } from './servers.ts';

/** A push that no server has taken yet. */
export const isDue = sql<SqlBool>`server_accounts.revision > server_accounts.synced_revision`;

/** What is due stays as old as its oldest change, however often it is changed again. */
export const wantedSince = sql<Date>`case when ${isDue} then server_accounts.wanted_since else now() end`;

/** What is to be tried again, from the beginning and at once. */
const wantedAgain = sql`
  revision = server_accounts.revision + 1,
  attempts = 0,
  next_try_at = now(),
  last_message = null,
  wanted_since = ${wantedSince},
  updated_at = now()`;

/** Where the lines of a server connect to, and the panel. */
export interface ServerAddress {
  id: string;
  host_ip: string;
  port: number;
  api_port: number;
}

/**
 * Keeps the rows from being deleted or changed until the transaction ends, in the order of their ids
 * so that no two wait for each other. Sales on them go on. Throws SERVER_NOT_FOUND for the first
 * that is missing.
 */
export async function lockServers<const Ids extends readonly string[]>(tx: Tx, ids: Ids) {
  const rows = await tx
    .selectFrom('cccam_servers')
    .select(['id', 'host_ip', 'port', 'api_port', 'status'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return ids.map((id) => rows.find((row) => row.id === id) ?? fail('SERVER_NOT_FOUND')) as {
    [Index in keyof Ids]: (typeof rows)[number];
  };
}

/**
 * Moves every line: nothing is wanted under its name on the old server any more, and the line is on
 * the new one. Set-based, and the same for each line as moving it by itself. Lines whose other
 * changes are under way are waited for, and moved as those left them.
 */
export async function moveAllLines(
  tx: Tx,
  from: ServerAddress,
  to: ServerAddress,
): Promise<number> {
  const { rows } = await sql<{ moved: number }>`
    with moved as (
      update users
        set server_id = ${to.id},
          host_port = array_replace(host_port, ${defaultHostPort(from)}, ${defaultHostPort(to)}),
          updated_at = now()
        where server_id = ${from.id}
        returning id, username, expiry_date),
    wanted as (
      insert into server_accounts (server_id, username, wanted, operation)
        select ${from.id}::uuid, username, null::jsonb, 'delete' from moved
        union all
        select ${to.id}::uuid, username,
            jsonb_build_object('line_id', id, 'expiry_date', expiry_date), 'add'
          from moved
        order by 1, 2
      on conflict (server_id, username) do update
        set wanted = excluded.wanted, operation = excluded.operation, ${wantedAgain})
    select count(*) as moved from moved`.execute(tx);
  return rows[0]?.moved ?? 0;
}

/** Whether the panel finds another machine there. */
export function isElsewhere(before: ServerAddress, after: ServerAddress): boolean {
  return before.host_ip !== after.host_ip || before.api_port !== after.api_port;
}

/**
 * The server stands elsewhere now: its lines connect there, where they did as the server does, and
 * nobody knows what the machine at the new address holds.
 */
export async function followServer(
  tx: Tx,
  before: ServerAddress,
  after: ServerAddress,
): Promise<void> {
  if (defaultHostPort(before) !== defaultHostPort(after)) {
    await sql`update users
      set host_port = array_replace(host_port, ${defaultHostPort(before)}, ${defaultHostPort(after)}),
        updated_at = now()
      where server_id = ${before.id} and ${defaultHostPort(before)} = any (host_port)`.execute(tx);
  }
  if (isElsewhere(before, after)) {
    await sql`update server_accounts
      set on_server = false, ${wantedAgain},
        operation = case when wanted is null then 'delete' else 'add' end
      where server_id = ${before.id}`.execute(tx);
  }
}

/**
 * Something else may have been written under this name on the machine at this address, whichever
 * server of the panel it is: what is wanted there is delivered once more.
 */
export async function wantAgain(
  db: Db,
  machine: { host_ip: string; api_port: number },
  username: string,
): Promise<void> {
  await sql`update server_accounts set ${wantedAgain}
    where username = ${username} and server_id in (
      select id from cccam_servers
        where lower(host_ip) = lower(${machine.host_ip}) and api_port = ${machine.api_port})`.execute(
    db,
  );
}

/** Makes due once more what was delivered under this name; what is due already stays as it is. */
export async function pushAgain(
  db: Db,
  { server_id, username }: { server_id: string; username: string },
): Promise<void> {
  await sql`update server_accounts set ${wantedAgain}
    where server_id = ${server_id} and username = ${username} and not (${isDue})`.execute(db);
}

/** Delivers the lines of these names once more, where they are still on the server. */
export async function deliverAgain(
  tx: Tx,
  serverId: string,
  usernames: readonly string[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into server_accounts (server_id, username, wanted, operation)
      select server_id, username,
          jsonb_build_object('line_id', id, 'expiry_date', expiry_date), 'add'
        from users
        where server_id = ${serverId} and username = any (${usernames}::text[])
        order by username
    on conflict (server_id, username) do update
      set wanted = excluded.wanted, operation = excluded.operation, on_server = false,
        ${wantedAgain}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Removes names from the server that the panel knows nothing of, there or on the same machine. */
export async function removeUnknown(
  tx: Tx,
  serverId: string,
  usernames: readonly string[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into server_accounts (server_id, username, wanted, operation, on_server)
      select server.id, name, null, 'delete', true
        from cccam_servers server, unnest(${usernames}::text[]) as name
        where server.id = ${serverId} and not exists (
          select from users join cccam_servers other on other.id = users.server_id
            where users.username = name and other.api_port = server.api_port
              and lower(other.host_ip) = lower(server.host_ip))
        order by name
    on conflict do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
