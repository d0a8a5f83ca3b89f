import { type SqlBool, sql } from 'kysely';
import type { ServerRow } from '../../db/schema/schema.ts';
import type { Tx } from '../../db/transaction.ts';
import { addressOf } from '../../platform/http-client/address.ts';
import { newId } from '../../platform/ids.ts';
import { lockName } from '../../platform/rows.ts';
import { lockServers } from './servers.ts';

/**
 * A card server, which may have several entries: their lines share names and accounts there, and an account that is
 * removed from it is removed for all of them. The database finds the machine of an entry that is saved
 * (`find_machine`). Decision 0158: every question about the same machine compares this key.
 */
export type Machine = Pick<ServerRow, 'machine_id'>;

/** The address at which the panel calls a server. */
type AskedAt = Pick<ServerRow, 'host_ip' | 'api_port'>;

/** The host and port of an address in the form in which the database compares them (`machine_of`). */
export function machineOf({ host_ip, api_port }: AskedAt): string {
  return `${addressOf(host_ip)}:${api_port}`;
}

/** True if an entry now has another address, not only another spelling of the same address. */
export function hasAddressChanged(before: AskedAt, after: AskedAt): boolean {
  return machineOf(before) !== machineOf(after);
}

/**
 * SQL condition: the entry still has the address that `server` had when it was read. The result of a call to another
 * address does not apply to the entry.
 */
export function isAt({ id, host_ip, api_port }: AskedAt & Pick<ServerRow, 'id'>) {
  return sql<SqlBool>`(id = ${id} and machine = machine_of(${host_ip}, ${api_port}::integer))`;
}

/** SQL condition: two entries, given by column or value, are of one machine. */
export function isSameMachine(one: string, other: string | Machine) {
  const id =
    typeof other === 'string' ? sql.ref(`${other}.machine_id`) : sql`${other.machine_id}::uuid`;
  return sql<SqlBool>`(${sql.ref(`${one}.machine_id`)} = ${id})`;
}

/**
 * Stores that two entries of the list of servers are one card server with two addresses: the entry
 * `id`, with all that share its machine, gets the machine of `otherId`. With null, the entry `id`
 * alone gets a new machine. Throws SERVER_NOT_FOUND if one of them was deleted.
 */
export async function joinMachine(tx: Tx, id: string, otherId: string | null): Promise<void> {
  await lockName(tx, 'machines');
  const locked = await lockServers(tx, otherId === null ? [id] : [id, otherId]);
  const [entry, other] = locked;
  const machine_id = other?.machine_id ?? newId();
  if (!other) await tx.insertInto('machines').values({ id: machine_id }).execute();
  await tx
    .updateTable('cccam_servers')
    .set({ machine_id })
    .where(sql<SqlBool>`${other ? sql`machine_id = ${entry.machine_id}` : sql`id = ${id}`}`)
    .execute();
}
