import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Db } from './transaction.ts';

export const MIGRATIONS_FOLDER = join(import.meta.dirname, 'migrations');

/** Names and statements of all migrations of this version, in order. */
async function readMigrationTexts(): Promise<[name: string, text: string][]> {
  const files = (await readdir(MIGRATIONS_FOLDER)).filter((file) => file.endsWith('.sql')).sort();
  const read = async (file: string): Promise<[string, string]> => [
    file.slice(0, -'.sql'.length),
    await readFile(join(MIGRATIONS_FOLDER, file), 'utf8'),
  ];
  return Promise.all(files.map(read));
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const entries = (await readMigrationTexts()).map(([name, text]): [string, Migration] => [
    name,
    { up: async (db) => void (await sql.raw(text).execute(db)) },
  ]);
  return Object.fromEntries(entries);
}

/**
 * Applies missing migrations, up to `last` if given, in one transaction; concurrent starts wait for
 * each other. Migrations of a newer version stay, because the previous version still runs on them.
 * Returns the names of the applied ones. Throws the error of a migration that fails.
 */
export async function migrate(db: Db, last?: string): Promise<string[]> {
  const newer = (await hasSchema(db)) ? await unknownMigrations(db) : [];
  const passedOver = Object.fromEntries(newer.map((name) => [name, { up: async () => {} }]));
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...(await readMigrations()), ...passedOver }) },
    migrationTableName: 'schema_migrations',
    migrationLockTableName: 'schema_migrations_lock',
  });
  const { error, results = [] } = await (last
    ? migrator.migrateTo(last)
    : migrator.migrateToLatest());
  if (error) throw error;
  return results.map((result) => result.migrationName);
}

/** True if a panel ever ran on this database. */
export async function hasSchema(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('schema_migrations') is not null as found`.execute(db);
  return rows[0]?.found ?? false;
}

/** Names of the migrations that the database has, in the order of application. */
export async function appliedMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from schema_migrations order by name collate "C"`.execute(db);
  return rows.map((row) => row.name);
}

/** All migrations of this version, in order. */
export async function knownMigrations(): Promise<string[]> {
  return Object.keys(await readMigrations()).sort();
}

/** Migrations of this version that the database lacks. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const applied = new Set(await appliedMigrations(db));
  return (await knownMigrations()).filter((name) => !applied.has(name));
}

/** Migrations of the database that this version does not know. */
export async function unknownMigrations(db: Db): Promise<string[]> {
  const known = await knownMigrations();
  return (await appliedMigrations(db)).filter((name) => !known.includes(name));
}

const kinds = { tables: 'table', functions: 'function' } as const;
type Kind = keyof typeof kinds;

/**
 * Names of the tables or functions that the migrations create, read from their statements, so that none is forgotten.
 */
async function expectedNames(kind: Kind): Promise<string[]> {
  const names = new Set<string>();
  const statement = new RegExp(
    `^\\s*(create(?: or replace)?|drop) ${kinds[kind]} (?:if (?:not )?exists )?(\\w+)`,
    'gim',
  );
  for (const [, text] of await readMigrationTexts()) {
    for (const [, verb = '', name = ''] of text.matchAll(statement)) {
      if (verb.toLowerCase() === 'drop') names.delete(name);
      else names.add(name);
    }
  }
  return [...names].sort();
}

async function presentNames(db: Db, kind: Kind): Promise<Set<string>> {
  const { rows } = await (kind === 'tables'
    ? sql<{ name: string }>`
        select table_name::text as name from information_schema.tables
          where table_schema = current_schema()`
    : sql<{ name: string }>`
        select proname::text as name from pg_proc where pronamespace = current_schema()::regnamespace`
  ).execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** Names of the tables or functions that the migrations create, and of those among them that the database lacks. */
export async function compareSchema(
  db: Db,
  kind: Kind,
): Promise<{ expected: number; missing: string[] }> {
  const [expected, present] = [await expectedNames(kind), await presentNames(db, kind)];
  return { expected: expected.length, missing: expected.filter((name) => !present.has(name)) };
}
