import { type SqlBool, sql } from 'kysely';
import type { ServerRow } from '../../db/schema/schema.ts';
import { addressOf } from '../../platform/http-client/address.ts';

/**
 * The one place that says whether two entries of the panel are one card server. Lines of one machine share their
 * names there, and what is removed from it is removed from both entries.
 */

/** What says which machine an entry is. */
export type Machine = Pick<ServerRow, 'machine' | 'instance'>;

/** The machine of an address that may not be stored: host and port in the form that `machine_of` of the database gives. */
export function machineOf({ host_ip, api_port }: Pick<ServerRow, 'host_ip' | 'api_port'>): string {
  return `${addressOf(host_ip)}:${api_port}`;
}

/** SQL condition: two entries, named or given, have one address, or one folder of accounts. */
export function isSameMachine(one: string, other: string | Machine) {
  const of = (column: keyof Machine) =>
    typeof other === 'string' ? sql.ref(`${other}.${column}`) : sql`${other[column]}::text`;
  return sql<SqlBool>`(${sql.ref(`${one}.machine`)} = ${of('machine')}
    or ${sql.ref(`${one}.instance`)} = ${of('instance')})`;
}

/** `isSameMachine` of two entries that have been read. */
export function areSameMachine(one: Machine, other: Machine): boolean {
  return (
    one.machine === other.machine || (one.instance !== null && one.instance === other.instance)
  );
}
