import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import { sql } from 'kysely';
import type { Tx } from '../db/transaction.ts';
import { fail } from './errors/refusal.ts';

type Sent<Row> = {
  [Field in keyof Row]: Date extends Row[Field] ? string | Exclude<Row[Field], Date> : Row[Field];
};

/** A row in the format of responses: its moments are texts. */
export function sentRow<Row extends object>(row: Row): Sent<Row> {
  const fields = Object.entries(row).map(([field, value]) => [
    field,
    value instanceof Date ? value.toISOString() : value,
  ]);
  return Object.fromEntries(fields) as Sent<Row>;
}

/** Waits until no other transaction holds this name, and holds it until the transaction ends. */
export async function lockName(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(tx);
}

/** Deletes the row with this id. Throws `missing` if there is no such row. */
export async function deleteRow(tx: Tx, table: string, id: string, missing: ErrorCode) {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where id = ${id}`.execute(tx);
  return numAffectedRows ? { success: true as const } : fail(missing);
}

/**
 * Throws `code` if the table already has its maximum number of rows. Locks it against other callers
 * until the row is inserted, so that two callers cannot exceed the maximum together.
 */
export async function refuseFull(tx: Tx, table: string, maximum: number, code: ErrorCode) {
  await lockName(tx, table);
  const { rows } = await sql<{ count: number }>`
    select count(*)::bigint as count from ${sql.table(table)}`.execute(tx);
  if ((rows[0]?.count ?? 0) >= maximum) fail(code, { maximum });
}
