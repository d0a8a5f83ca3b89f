import { sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import { isStillUnknown } from '../machines/orphans.ts';
import { isSameMachine, machineOf } from '../machines/same-machine.ts';
import { isDue, isLost, wantedAgain } from '../machines/server-accounts.ts';
import { settle } from './settle.ts';

/** SQL condition: the row of a suspended line, of which nothing is wanted. */
const isSuspended = sql`(wanted is null and of_line is not null)`;

/**
 * Makes all pushes due, because the accounts of the machine at the new API address are unknown, or were made in another
 * way. Accounts of suspended lines may be there and work where they are kept.
 */
export async function redeliverToNewMachine(
  tx: Tx,
  serverId: string,
  { isOtherMachine = true, keepsSuspended = false } = {},
): Promise<void> {
  await sql`update server_accounts
    set on_server = ${isSuspended} or (on_server and ${!isOtherMachine}), ${wantedAgain},
      operation = case when wanted is not null then 'add' when of_line is null then 'delete' else 'edit' end
    where server_id = ${serverId} and (${keepsSuspended} or not ${isSuspended})`.execute(tx);
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

/** Queues all lines of a server whose accounts are unknown, suspended ones among them. Returns their number. */
export async function redeliverAll(tx: Tx, serverId: string): Promise<number> {
  const { numAffectedRows } = await sql`update server_accounts
    set on_server = on_server or ${isSuspended}, ${wantedAgain},
      operation = case when wanted is null then 'edit' else 'add' end
    where server_id = ${serverId} and of_line is not null`.execute(tx);
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
  const { rows } = await sql<{ id: string }>`
    select id from users where server_id = ${serverId} and username = any (${usernames}::text[])
      order by id for no key update`.execute(tx);
  const ids = rows.map(({ id }) => id);
  await settle(tx, ids, { again: true });
  await sql`update server_accounts
    set on_server = false, operation = case when wanted is null then 'edit' else 'add' end, next_try_at = now()
    where server_id = ${serverId} and username = any (${usernames}::text[])
      and of_line = any (${ids}::uuid[])`.execute(tx);
  return ids.length;
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
 * Makes every push due again, because card servers may differ from a restored database: what was due in it may have been
 * delivered since. Returns their number.
 */
export async function redeliverEverything(db: Db): Promise<bigint> {
  const { numAffectedRows } = await sql`update server_accounts
    set on_server = on_server or ${isSuspended}, is_unanswered = is_unanswered or ${isDue}, revision = revision + 1,
      attempts = 0, next_try_at = now(), claimed_until = null, updated_at = now()`.execute(db);
  return numAffectedRows ?? 0n;
}
