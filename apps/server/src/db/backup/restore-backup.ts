import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Connection } from '../connect.ts';
import { knownMigrations, migrate } from '../migrate.ts';
import { refuseOtherPrograms } from '../postgres/other-programs.ts';
import { type Tx, transact } from '../transaction.ts';
import type { Summary, TableHead } from './file-format.ts';
import { isOfNewerPanel, readBackup, UnusableBackup } from './read-backup.ts';
import { digestTable, fixTextForms, isLeftOut, quote, readTables, type Table } from './tables.ts';

// Triggers are disabled table by table, which the owner of the tables may do;
// session_replication_role would need a superuser.

async function tableNames(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'
    order by 1`.execute(tx);
  return rows.map(({ name }) => name);
}

/** Drops all tables, functions and text search configurations except those of extensions. */
export async function removeEverything(tx: Tx): Promise<void> {
  const isOwn = sql`not exists (select from pg_depend where objid = oid and deptype = 'e')`;
  const { rows } = await sql<{ statement: string }>`
    select format('drop table %s cascade', oid::regclass) as statement from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r'
    union all select format('drop function if exists %s cascade', oid::regprocedure) from pg_proc
      where pronamespace = current_schema()::regnamespace and ${isOwn}
    union all select format('drop text search configuration if exists %s cascade', oid::regconfig) from pg_ts_config
      where cfgnamespace = current_schema()::regnamespace and ${isOwn}`.execute(tx);
  for (const { statement } of rows) await sql.raw(statement).execute(tx);
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
async function withBareTables(tx: Tx, tables: string[], load: () => Promise<void>): Promise<void> {
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

interface RestoreOptions {
  /** Permits deleting the database's present content. */
  replace: boolean;
  /** The file if already open; it is closed at the end. */
  fd?: number;
}

/**
 * Restores a backup in one transaction: the schema at the time of the backup, its rows, a comparison with the file's
 * proofs, then newer migrations. `checked` is the result of reading the whole `file` before; if the file has changed
 * since, nothing is restored. Throws UnusableBackup, and an Error with a sentence for the operator if the database is
 * in use, not empty or of another program, or if its content differs from the backup afterwards. Decision 0016: foreign
 * keys are dropped and put back, which checks every row and needs no superuser.
 */
export async function restoreBackup(
  connection: Connection,
  file: string,
  checked: Summary,
  { replace, fd }: RestoreOptions,
): Promise<void> {
  const { db } = connection;
  const lastMigration = await lastKnownMigration(file, checked);
  await transact(db, async (tx) => {
    await fixTextForms(tx);
    await refuseOtherPrograms(tx, connection.kind);
    const present = await tableNames(tx);
    if (!replace) await refuseIfInUse(tx, present);
    refuseForeignTables(present);
    await removeEverything(tx);
    await migrate(tx, lastMigration);
    const tables = await readTables(tx);
    refuseOtherTables(file, checked, tables);
    await withBareTables(
      tx,
      tables.map(({ name }) => name),
      () => load(tx, file, fd, checked, tables),
    );
    await prove(tx, checked, tables);
    await migrate(tx);
  });
  await sql`analyze`.execute(db);
}

async function lastKnownMigration(file: string, { head }: Summary): Promise<string> {
  const known = await knownMigrations();
  const isBeginning = head.migrations.every((name, at) => known[at] === name);
  const last = head.migrations.at(-1);
  if (isBeginning && last) return last;
  throw isOfNewerPanel(file);
}

/** Throws if the database is in use. A schema without rows, as left by a failed start, counts as empty. */
async function refuseIfInUse(tx: Tx, present: string[]): Promise<void> {
  if (!present.includes('auth_users')) return;
  const { rows } = await sql<{ accounts: number; lines: number }>`select
    (select count(*) from auth_users) as accounts, (select count(*) from users) as lines`.execute(
    tx,
  );
  const { accounts = 0, lines = 0 } = rows[0] ?? {};
  if (accounts === 0) return;
  throw new Error(
    `This database is not empty: it has ${accounts} accounts and ${lines} lines. Nothing was changed. ` +
      'Restore into an empty database, or add --replace to remove everything in it',
  );
}

function refuseForeignTables(present: string[]): void {
  if (present.length === 0 || present.includes('schema_migrations')) return;
  throw new Error(
    `This database belongs to another program: it has the table ${present[0]}. Nothing was changed.`,
  );
}

function refuseOtherTables(file: string, { tables }: Summary, expected: Table[]): void {
  const inFile = tables
    .filter(({ table }) => !isLeftOut(table))
    .map(({ table, columns }) => [table, columns]);
  const inSchema = expected.map(({ name, columns }) => [name, columns.map(({ name }) => name)]);
  if (isDeepStrictEqual(inFile, inSchema)) return;
  throw new UnusableBackup(`${file} does not have the tables that its version has`);
}

async function load(
  tx: Tx,
  file: string,
  fd: number | undefined,
  checked: Summary,
  tables: Table[],
): Promise<void> {
  const inserts = new Map(tables.map((table) => [table.name, insertInto(table)]));
  const insert = async ({ table }: TableHead, rows: string[]) => {
    await inserts.get(table)?.(tx, `[${rows.join(',')}]`);
  };
  const read = await readBackup(file, insert, fd);
  if (read.foot.sha256 === checked.foot.sha256) return;
  throw new UnusableBackup(`${file} was changed while it was being restored`);
}

/** The statement for one batch: its rows are passed as one JSON text, which the database unpacks. */
function insertInto({ name, columns }: Table) {
  const names = columns.map((column) => quote(column.name)).join(', ');
  const values = columns.map(({ type }, at) => `(row ->> ${at})::${type}`).join(', ');
  return (tx: Tx, rows: string) =>
    sql`insert into ${sql.table(name)} (${sql.raw(names)}) select ${sql.raw(values)}
      from jsonb_array_elements(cast(${rows} as jsonb)) as row`.execute(tx);
}

async function prove(tx: Tx, { tables }: Summary, restored: Table[]): Promise<void> {
  for (const table of restored) {
    const expected = tables.find((saved) => saved.table === table.name)?.proof;
    const found = await digestTable(tx, table);
    if (found.rows === expected?.rows && found.sha256 === expected.sha256) continue;
    throw new Error(
      `The restored table ${table.name} differs from the backup, so nothing was changed`,
    );
  }
}
