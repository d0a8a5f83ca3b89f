import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDatabase } from '../testing/panel.ts';
import { type Connection, connectEmbedded, connectPostgres } from './connect.ts';
import { MIGRATIONS_FOLDER, migrate, pendingMigrations, unknownMigrations } from './migrate.ts';
import type { Db } from './transaction.ts';

const RULE = `A migration that has landed is never edited: databases out there have already run it
and would not run it again. Put the file back and write the change as a new migration with the next
number; then add that file with its sha256 to db/migrations/landed.json.`;

describe('the migrations', async () => {
  const files = (await readdir(MIGRATIONS_FOLDER)).filter((file) => file.endsWith('.sql')).sort();

  test('are those that have landed, unchanged', async () => {
    const landed = JSON.parse(await readFile(join(MIGRATIONS_FOLDER, 'landed.json'), 'utf8'));
    const found = await Promise.all(
      files.map(async (file) => {
        const bytes = await readFile(join(MIGRATIONS_FOLDER, file));
        return [file, createHash('sha256').update(bytes).digest('hex')];
      }),
    );
    expect(Object.fromEntries(found), RULE).toEqual(landed);
  });

  test('are numbered from 1 without a gap', () => {
    expect(files.map((file) => Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(file)?.[1]))).toEqual(
      files.map((_, index) => index + 1),
    );
  });
});

/** Queries for the parts of a schema, as text that is equal in both databases. */
const parts = {
  columns: `select table_name, column_name, data_type, udt_name, collation_name, is_nullable,
      column_default, generation_expression
    from information_schema.columns where table_schema = 'public' order by 1, 2`,
  // Newer versions store NOT NULL as a constraint too; the columns above include it.
  constraints: `select conrelid::regclass::text, conname, pg_get_constraintdef(oid)
    from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
      and conrelid <> 0 order by 1, 2`,
  indexes: `select tablename, indexname, indexdef from pg_indexes where schemaname = 'public'
    order by 1, 2`,
  triggers: `select tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) from pg_trigger
    where not tgisinternal order by 1, 2`,
  functions: `select proname, pg_get_functiondef(p.oid) from pg_proc p
    where pronamespace = 'public'::regnamespace and prokind = 'f'
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by 1, 2`,
  extensions: `select extname from pg_extension where extname <> 'plpgsql' order by 1`,
  rows: `select 'group' as kind, id as name, permissions::text as value from groups
    union all select 'setting', key, value::text from settings
    union all select 'migration', name, '' from schema_migrations order by 1, 2`,
};

async function describeSchema(db: Db): Promise<Record<string, unknown[]>> {
  const described: Record<string, unknown[]> = {};
  for (const [part, query] of Object.entries(parts)) {
    described[part] = (await sql.raw(query).execute(db)).rows;
  }
  return described;
}

describe('the schema', () => {
  const connections: Partial<Record<'embedded' | 'postgres', Connection>> = {};
  beforeAll(async () => {
    const database = await makeDatabase('postgres');
    connections.postgres = await connectPostgres(database.env.DATABASE_URL ?? '');
    connections.embedded = await connectEmbedded(null);
    await migrate(connections.embedded.db);
  });
  afterAll(() => Promise.all(Object.values(connections).map((connection) => connection.close())));

  test('is the same on the embedded database and on PostgreSQL', async () => {
    const { embedded, postgres } = connections;
    const schema = await describeSchema(postgres!.db);
    for (const rows of Object.values(schema)) expect(rows).not.toEqual([]);
    expect(await describeSchema(embedded!.db)).toEqual(schema);
  });

  test('is brought up to date once: a second run applies nothing', async () => {
    for (const { db } of Object.values(connections)) expect(await migrate(db)).toEqual([]);
  });

  test('is left alone where a newer panel made it, so that an older one may still start', async () => {
    for (const { db } of Object.values(connections)) {
      const newer = '9999_of_a_newer_panel';
      await sql`insert into schema_migrations (name, timestamp) values (${newer}, '2099')`.execute(
        db,
      );
      expect(await migrate(db)).toEqual([]);
      expect(await unknownMigrations(db)).toEqual([newer]);
      expect(await pendingMigrations(db)).toEqual([]);
    }
  });
});
