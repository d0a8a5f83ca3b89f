import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';

/**
 * Tables without times to shift or with rows that never change. Schedules are left out, because
 * scheduled jobs would become due at once and delete rows that the tests look for.
 */
const untouched = [
  'credit_transfers',
  'credit_seals',
  'audit_log',
  'audit_seals',
  'redeem_code_history',
  'schedules',
  'schema_migrations',
  'clock',
];

async function momentColumns(db: Db): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select table_schema || '.' || table_name as table,
        array_agg(column_name::text order by column_name) as columns
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE'
        and data_type like 'timestamp%' and is_generated = 'NEVER'
        and not table_name = any (${untouched}::text[])
      group by 1`.execute(db);
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

/**
 * Shifts all stored times as if the clock had been corrected by this many days: after setting it
 * back by one (-1), they are a day ahead. The machine's own clock stays.
 */
export async function correctClock(db: Db, days: number): Promise<void> {
  const moved = (column: string): RawBuilder<unknown> =>
    sql`${sql.ref(column)} = ${sql.ref(column)} - make_interval(days => ${days})`;
  await db.transaction().execute(async (tx) => {
    for (const [table, columns] of await momentColumns(tx)) {
      await sql`update ${sql.table(table)} set ${sql.join(columns.map(moved))}`.execute(tx);
    }
  });
}
