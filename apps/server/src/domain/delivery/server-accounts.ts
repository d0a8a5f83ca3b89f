import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import { fail } from '../../platform/errors/refusal.ts';
import type { LockedAt } from './changed-addresses.ts';
import { isStillUnknown } from './orphans.ts';
import { isSameMachine, machineOf } from './same-machine.ts';
import { defaultHostPort, lineProtocol, type Reached, reachedColumns } from './servers.ts';

/** SQL condition: a push that its server has not applied yet. */
export const isDue = sql<SqlBool>`server_accounts.revision > server_accounts.synced_revision`;

/** SQL condition: an account that its server had applied and lost, and that is not due again. */
export const isLost = sql<SqlBool>`server_accounts.wanted is not null
  and not server_accounts.on_server and (server_accounts.wanted ->> 'is_suspended') is null
  and server_accounts.revision <= server_accounts.synced_revision`;

/** SQL condition: a row of an operator's own keeps the server from taking the change. */
export const isKeptByHand = sql<SqlBool>`server_accounts.last_finding ->> 'code'
  in ('KEPT_BY_HAND', 'SHARED_BY_HAND')`;

/** SQL condition: `isKeptByHand`, also of a line that works by its former account meanwhile. */
export const isRefusedByHand = sql<SqlBool>`(${isKeptByHand}
  or server_accounts.last_finding ->> 'code' in ('WORKS_AS', 'WORKS_ON'))`;

/** SQL condition on a row of `server_accounts`, or of an alias: the account that a line works by until its new one is taken. */
export const isFormer = (of = 'server_accounts') =>
  sql<SqlBool>`(${sql.ref(`${of}.wanted`)} ->> 'is_former') is not null`;

/** SQL condition: the account is on its server, or may be by an attempt that is under way or had no answer. */
export const mayBeThere = sql<SqlBool>`(server_accounts.on_server or server_accounts.is_unanswered
  or server_accounts.claimed_until is not null)`;

/** SQL condition: the line of this id works by no former account, so that what it leaves now is what it works by. */
const hasNoFormer = (line_id: RawBuilder<unknown>) => sql<SqlBool>`not exists (
  select from server_accounts former
    where ${isFormer('former')} and former.wanted ->> 'line_id' = ${line_id}::text)`;

/**
 * Keeps the account that a line leaves by a new name or a new server as long as it works by that one. False if there is
 * none: it was never there, or the line works by an earlier one.
 */
export async function keepAsFormer(
  tx: Tx,
  line: { id: string; server_id: string; username: string },
  expiry_date: string,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update server_accounts
      set wanted = jsonb_build_object(
          'line_id', ${line.id}::text, 'expiry_date', ${expiry_date}::text, 'is_former', true),
        updated_at = now()
      where server_id = ${line.server_id} and username = ${line.username}
        and wanted ->> 'line_id' = ${line.id}::text and (${mayBeThere} or synced_revision > 0)
        and ${hasNoFormer(sql`${line.id}`)}`.execute(tx);
  return numAffectedRows > 0n;
}

/** `keepAsFormer` for a suspended line, whose account stays on an OSCam, switched off, without a row here. */
export async function keepSuspendedAsFormer(
  tx: Tx,
  line: { id: string; server_id: string; username: string; password: string },
  expiry_date: string,
): Promise<void> {
  await sql`
    insert into server_accounts (server_id, username, wanted, operation, on_server, synced_revision, left_password)
      select ${line.server_id}::uuid, ${line.username}, jsonb_build_object('line_id', ${line.id}::text,
          'expiry_date', ${expiry_date}::text, 'is_former', true, 'is_suspended', true), 'edit', true, 1,
          jsonb_build_object('line_id', ${line.id}::text, 'password', ${line.password}::text)
        where ${hasNoFormer(sql`${line.id}`)}
    on conflict (server_id, username) do update
      set wanted = excluded.wanted, operation = 'edit', on_server = true,
        left_password = coalesce(server_accounts.left_password, excluded.left_password),
        ${wantedAgain}`.execute(tx);
}

/** Keeps whose account it is that a line leaves while nobody knows whether it is there. */
export async function keepUnanswered(
  tx: Tx,
  line: { id: string; server_id: string; username: string; password: string },
): Promise<void> {
  await sql`
    update server_accounts
      set left_password = jsonb_build_object('line_id', ${line.id}::text, 'password', ${line.password}::text)
      where server_id = ${line.server_id} and username = ${line.username}
        and is_unanswered and left_password is null`.execute(tx);
}

/**
 * The accounts under former names and on former servers by which a line may still let its customer in; `follows` is
 * whether a change of the line is on its way to the one by which it works.
 */
export async function formerAccountsOf(
  db: Db,
  line_id: string,
): Promise<{ server_id: string; username: string; follows: boolean }[]> {
  const { rows } = await sql<{ server_id: string; username: string; follows: boolean }>`
    select server_id, username, ${isDue} as follows from server_accounts
      where ${isFormer()} and wanted ->> 'line_id' = ${line_id}
    union select server_id, username, false from server_accounts
      where left_password is not null and left_password ->> 'line_id' = ${line_id} and wanted is null`.execute(
    db,
  );
  return rows;
}

/** SQL condition: the line that was sold with this push has never been on the server. */
export const isNeverTaken = sql<SqlBool>`(server_accounts.sold is not null
  and server_accounts.synced_revision < (server_accounts.sold ->> 'revision')::bigint)`;

/** A push that is already due keeps the time of its oldest change. */
export const wantedSince = sql<Date>`case when ${isDue} then server_accounts.wanted_since else now() end`;

/** Column values that make a push due again now, with its count of attempts reset. */
export const wantedAgain = sql`
  revision = server_accounts.revision + 1,
  attempts = 0,
  next_try_at = now(),
  last_finding = null,
  wanted_since = ${wantedSince},
  updated_at = now()`;

const soldAt = (revision: RawBuilder<unknown>, of = 'server_accounts') =>
  sql`jsonb_set(${sql.ref(`${of}.sold`)}, '{revision}', to_jsonb(${revision}))`;

/** Of a push that is changed: what it is sold with now, or was before. */
export const soldNow = sql<string | null>`coalesce(
  ${soldAt(sql`server_accounts.revision + 1`, 'excluded')}, server_accounts.sold)`;

/** A server's addresses, for customers and for the panel. */
export interface ServerAddress extends Reached {
  id: string;
  api_port: number;
}

/**
 * Locks servers against deletion and changes until the transaction ends, ordered by id to avoid
 * deadlocks. Does not block sales. Throws SERVER_NOT_FOUND for a missing one.
 */
export async function lockServers<const Ids extends readonly string[]>(tx: Tx, ids: Ids) {
  const rows = await tx
    .selectFrom('cccam_servers')
    .select([
      ...reachedColumns,
      'id',
      'api_port',
      'machine',
      'instance',
      'kind',
      'status',
      'closed_to_new_lines',
      'max_lines',
    ])
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return ids.map((id) => rows.find((row) => row.id === id) ?? fail('SERVER_NOT_FOUND')) as {
    [Index in keyof Ids]: (typeof rows)[number];
  };
}

/**
 * Locks a server against sales too: waits for those under way, and those that come later find it as the
 * transaction leaves it.
 */
export async function lockAgainstSales(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('cccam_servers').select('id').where('id', '=', id).forUpdate().execute();
}

/** SQL table `entered`: the lines that customers at these addresses enter and will enter. */
const enteredTable = (entered: readonly LockedAt[]) => sql`entered as materialized (
  select host_port as entered_at, old_lines, new_lines from jsonb_to_recordset(${JSON.stringify(entered)}::jsonb)
    as entered (host_port text[], old_lines jsonb, new_lines jsonb))`;

/**
 * Inserts the rows of a job that is done, from those of `changed`; of `fields` those that differ. Their
 * `receivers` are null where the customer changes nothing.
 */
const itemsOf = (jobId: string, fields: RawBuilder<unknown>) => sql`
  insert into job_items (job_id, position, line_id, username, state, before, after)
    select ${jobId}::uuid, row_number() over (order by username), id, username, 'done', before, after
      from changed left join entered on entered_at = old_host_port
      cross join lateral (
        select jsonb_object_agg(name, before) as before, jsonb_object_agg(name, after) as after
          from (values ${fields}, ('receivers', old_lines, new_lines))
            as field (name, before, after)
          where before is distinct from after or name = 'receivers') as differing`;

/**
 * Moves all lines at the addresses of `entered`: each name becomes unwanted on the old server and wanted on the new one, as if
 * moved one by one, in one statement, and becomes a row of the job; suspended lines are wanted on
 * neither. A line that was sold meanwhile at an address of its own stays, as one sold afterwards does.
 */
export async function moveAllLines(
  tx: Tx,
  from: ServerAddress,
  to: ServerAddress,
  entered: readonly LockedAt[],
  jobId: string,
): Promise<number> {
  const { rows } = await sql<{ moved: number }>`
    with ${enteredTable(entered)},
    held as materialized (
      select id, host_port, protocol from users
        where server_id = ${from.id} and host_port in (select entered_at from entered)
        order by id for no key update),
    changed as (
      update users
        set server_id = ${to.id},
          host_port = array_replace(
            users.host_port, ${defaultHostPort(from)}, ${defaultHostPort(to)}),
          protocol = case users.protocol
            when ${lineProtocol(from)} then ${lineProtocol(to)} else users.protocol end,
          updated_at = now()
        from held where users.id = held.id
        returning users.id, username, expiry_date, suspension, users.host_port, users.protocol,
          held.host_port as old_host_port, held.protocol as old_protocol),
    items as (${itemsOf(
      jobId,
      sql`('server_id', to_jsonb(${from.id}::text), to_jsonb(${to.id}::text)),
        ('host_port', to_jsonb(old_host_port), to_jsonb(host_port)),
        ('protocol', to_jsonb(old_protocol), to_jsonb(protocol))`,
    )}),
    former as (
      update server_accounts
        set wanted = jsonb_build_object(
            'line_id', changed.id, 'expiry_date', changed.expiry_date, 'is_former', true),
          updated_at = now()
        from changed
        where server_accounts.server_id = ${from.id} and server_accounts.username = changed.username
          and changed.suspension is null and wanted ->> 'line_id' = changed.id::text
          and (${mayBeThere} or synced_revision > 0) and ${hasNoFormer(sql`changed.id`)}
        returning server_accounts.username),
    wanted as (
      insert into server_accounts (server_id, username, wanted, operation, sold, on_server)
        select ${from.id}::uuid, username, null::jsonb, 'delete', null, true from changed
          -- The account of a suspended line stays there, switched off.
          where username not in (select username from former) and (suspension is null or exists (
            select from cccam_servers where id = ${from.id}::uuid and kind = 'oscam_webif'))
        union all
        select ${to.id}::uuid, username,
            jsonb_build_object('line_id', id, 'expiry_date', expiry_date), 'add',
            (select ${soldAt(sql`1`)} from server_accounts
              where server_id = ${from.id}::uuid and username = changed.username
                and sold ->> 'line_id' = id::text and ${isNeverTaken}), false
          from changed where suspension is null
        order by 1, 2
      on conflict (server_id, username) do update
        set wanted = excluded.wanted, operation = excluded.operation,
          sold = ${soldNow}, ${wantedAgain})
    select count(*) as moved from changed`.execute(tx);
  return rows[0]?.moved ?? 0;
}

/** True if the panel's API address changes. */
export function hasAddressChanged(before: ServerAddress, after: ServerAddress): boolean {
  return before.host_ip !== after.host_ip || before.api_port !== after.api_port;
}

/**
 * Replaces a server's address in the lines that have it. Each becomes a row of the job, and so does each
 * whose customer must enter something else by `entered`. Returns their number.
 */
export async function replaceAddress(
  tx: Tx,
  before: ServerAddress,
  after: ServerAddress,
  entered: readonly LockedAt[],
  jobId: string,
): Promise<number> {
  const [old, next] = [defaultHostPort(before), defaultHostPort(after)];
  const { rows } = await sql<{ changed: number }>`
    with ${enteredTable(entered)},
    held as materialized (
      select id, username, host_port from users
        where server_id = ${before.id}
          and (${old !== next} and ${old} = any (host_port)
            or host_port in (select entered_at from entered where old_lines is not null))
        order by id for no key update),
    changed as (
      select id, username, host_port as old_host_port,
          array_replace(host_port, ${old}, ${next}) as host_port
        from held),
    replaced as (
      update users set host_port = changed.host_port, updated_at = now()
        from changed where users.id = changed.id and changed.host_port <> old_host_port),
    items as (${itemsOf(jobId, sql`('host_port', to_jsonb(old_host_port), to_jsonb(host_port))`)})
    select count(*) as changed from changed`.execute(tx);
  return rows[0]?.changed ?? 0;
}

/**
 * Makes all pushes due, because the accounts of the machine at the new API address are unknown, or were made in another
 * way. Accounts of suspended lines may be there and work.
 */
export async function redeliverToNewMachine(
  tx: Tx,
  serverId: string,
  { isOtherMachine = true, keepsSuspended = false } = {},
): Promise<void> {
  await sql`update server_accounts
    set on_server = on_server and ${!isOtherMachine}, ${wantedAgain},
      operation = case when wanted is null then 'delete' else 'add' end
    where server_id = ${serverId}`.execute(tx);
  if (keepsSuspended) await removeSuspended(tx, serverId);
}

/**
 * Makes pushes of this name due for all entries of this machine, because another call may have
 * changed the account on the machine.
 */
export async function redeliverOnMachine(
  db: Db,
  machine: { host_ip: string; api_port: number },
  username: string,
): Promise<void> {
  await sql`update server_accounts set ${wantedAgain}
    where username = ${username} and server_id in (
      select entry.id from cccam_servers entry
        join cccam_servers called on ${isSameMachine('entry', 'called')}
        where called.machine = ${machineOf(machine)})`.execute(db);
}

/** Makes a delivered push due again; a push already due is unchanged. */
export async function redeliver(
  db: Db,
  { server_id, username }: { server_id: string; username: string },
): Promise<void> {
  await sql`update server_accounts set ${wantedAgain}
    where server_id = ${server_id} and username = ${username} and not (${isDue})`.execute(db);
}

/** Queues the lost accounts of a server. Returns their number. */
export async function redeliverLost(tx: Tx, serverId: string): Promise<number> {
  const { numAffectedRows } = await sql`update server_accounts
    set operation = 'add', ${wantedAgain} where server_id = ${serverId} and ${isLost}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Queues all lines of a server whose accounts are unknown. Returns their number. */
export async function redeliverAll(tx: Tx, serverId: string): Promise<number> {
  const { numAffectedRows } = await sql`update server_accounts
    set operation = 'add', ${wantedAgain}
    where server_id = ${serverId} and wanted is not null`.execute(tx);
  return Number(numAffectedRows ?? 0) + (await removeSuspended(tx, serverId));
}

/**
 * Queues the removal of a server's suspended lines, or of all: what is absent needs no row, so there is
 * none to make due again. Locks them, so that none is removed that is being resumed. Returns their number.
 */
async function removeSuspended(db: Db, serverId: string | null): Promise<number> {
  const { numAffectedRows } = await sql`
    with lines as materialized (
      select server_id, username from users
        where suspension is not null and (${serverId}::uuid is null or server_id = ${serverId}::uuid)
        order by id for no key update)
    insert into server_accounts (server_id, username, wanted, operation, on_server)
      select server_id, username, null, 'edit', true from lines order by server_id, username
    on conflict (server_id, username) do update
      set wanted = null, operation = 'edit', ${wantedAgain}`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/**
 * Queues the lines with these names that are still on the server, and the removal of those that are
 * suspended. Locks them, so that a change under way is waited for and included. Returns their number.
 */
export async function redeliverLines(
  tx: Tx,
  serverId: string,
  usernames: readonly string[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    with lines as materialized (
      select id, server_id, username, expiry_date, suspension from users
        where server_id = ${serverId} and username = any (${usernames}::text[])
        order by id for no key update)
    insert into server_accounts (server_id, username, wanted, operation)
      select server_id, username,
          case when suspension is null
            then jsonb_build_object('line_id', id, 'expiry_date', expiry_date) end,
          case when suspension is null then 'add' else 'edit' end
        from lines order by username
    on conflict (server_id, username) do update
      set wanted = excluded.wanted, operation = excluded.operation, on_server = false,
        ${wantedAgain}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Tries those of these names that no line has any more again now. */
export async function redeliverDeletions(
  tx: Tx,
  serverId: string,
  usernames: readonly string[],
): Promise<void> {
  await sql`update server_accounts set ${wantedAgain}
    where server_id = ${serverId} and username = any (${usernames}::text[]) and wanted is null
      and not exists (select from users where users.server_id = server_accounts.server_id
        and users.username = server_accounts.username)`.execute(tx);
}

/** Queues deletions for names that the panel does not know on the machine of this server. Returns their number. */
export async function removeUnknown(
  tx: Tx,
  serverId: string,
  usernames: readonly string[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into server_accounts (server_id, username, wanted, operation, on_server)
      select server.id, orphan.username, null, 'delete', true
        from cccam_servers server, unnest(${usernames}::text[]) as orphan (username)
        where server.id = ${serverId} and ${isStillUnknown}
        order by orphan.username
    on conflict do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/**
 * Makes every push due again, because card servers may differ from a restored database. Returns
 * their number.
 */
export async function redeliverEverything(db: Db): Promise<bigint> {
  const { numUpdatedRows } = await db
    .updateTable('server_accounts')
    .set({
      revision: sql`revision + 1`,
      attempts: 0,
      next_try_at: sql`now()`,
      claimed_until: null,
      updated_at: sql`now()`,
    })
    .executeTakeFirstOrThrow();
  return numUpdatedRows + BigInt(await removeSuspended(db, null));
}
