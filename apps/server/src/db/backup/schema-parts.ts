import { sql } from 'kysely';
import type { Tx } from '../transaction.ts';
import { quote } from './tables.ts';

// Works with the rights of the tables' owner; session_replication_role would need a superuser.

export async function tableNames(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'
    order by 1`.execute(tx);
  return rows.map(({ name }) => name);
}

/** Drops all tables, functions and text search configurations except those of extensions. */
export async function removeEverything(tx: Tx): Promise<void> {
  const tables = await tableNames(tx);
  if (tables.length > 0) {
    await sql.raw(`drop table ${tables.map(quote).join(', ')} cascade`).execute(tx);
  }
  const { rows: functions } = await sql<{ name: string }>`
    select routine.oid::regprocedure::text as name from pg_proc routine
    where routine.pronamespace = current_schema()::regnamespace and not exists (
      select from pg_depend where objid = routine.oid and deptype = 'e')`.execute(tx);
  for (const { name } of functions) await sql.raw(`drop function ${name} cascade`).execute(tx);
  const { rows: configurations } = await sql<{ name: string }>`
    select configuration.oid::regconfig::text as name from pg_ts_config configuration
    where configuration.cfgnamespace = current_schema()::regnamespace and not exists (
      select from pg_depend where objid = configuration.oid and deptype = 'e')`.execute(tx);
  for (const { name } of configurations) {
    await sql.raw(`drop text search configuration ${name} cascade`).execute(tx);
  }
}

interface Part {
  table: string;
  name: string;
  definition: string;
}

/**
 * Runs `load` with empty tables, without triggers, foreign keys and indexes that no constraint
 * needs; then restores them, which checks every row.
 */
export async function withBareTables(
  tx: Tx,
  tables: string[],
  load: () => Promise<void>,
): Promise<void> {
  const { rows: foreignKeys } = await sql<Part>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`.execute(
    tx,
  );
  const { rows: indexes } = await sql<Part>`
    select index.indrelid::regclass::text as table, index.indexrelid::regclass::text as name,
      pg_get_indexdef(index.indexrelid) as definition
    from pg_index index join pg_class class on class.oid = index.indrelid
    where class.relnamespace = current_schema()::regnamespace and not index.indisunique
    order by 2`.execute(tx);
  const run = (statement: string) => sql.raw(statement).execute(tx);
  for (const { table, name } of foreignKeys) {
    await run(`alter table ${table} drop constraint ${quote(name)}`);
  }
  for (const { name } of indexes) await run(`drop index ${name}`);
  for (const table of tables) await run(`alter table ${quote(table)} disable trigger user`);
  await run(`truncate ${tables.map(quote).join(', ')}`);
  await load();
  for (const { definition } of indexes) await run(definition);
  for (const { table, name, definition } of foreignKeys) {
    await run(`alter table ${table} add constraint ${quote(name)} ${definition}`);
  }
  for (const table of tables) await run(`alter table ${quote(table)} enable trigger user`);
}
