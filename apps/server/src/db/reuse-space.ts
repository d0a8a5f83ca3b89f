import { type SqlBool, sql } from 'kysely';
import type { Connection } from './connect.ts';

/** Number of dead rows from which a vacuum is worth its time. */
const WORTH_A_VACUUM = 1000;

/**
 * Vacuums the tables once one of them has `worth` dead rows, because the embedded database never vacuums on its own.
 * Space behind the last row stays with the table: `refuseLostTables` considers an emptied table lost.
 */
export async function reuseSpace(
  { db, kind, query }: Pick<Connection, 'db' | 'kind' | 'query'>,
  tables: readonly string[],
  worth = WORTH_A_VACUUM,
): Promise<void> {
  if (kind !== 'embedded') return;
  const { rows } = await sql<{ dead: number | null }>`
    select max(n_dead_tup) as dead from pg_stat_all_tables
      where ${sql<SqlBool>`relid = any(${tables}::text[]::regclass[])`}`.execute(db);
  if ((rows[0]?.dead ?? 0) < worth) return;
  await query(`vacuum (truncate false) ${tables.join(', ')}`);
}
