import { type SqlBool, sql } from 'kysely';
import type { Connection } from './connect.ts';

/** Dead rows. */
const WORTH_A_VACUUM = 1000;

/**
 * On the embedded database nobody but the panel makes room again where rows were deleted; does so once
 * `worth` rows of one of the tables are dead. What lies behind the last row stays with the table:
 * `refuseLostTables` takes an emptied one for lost.
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
