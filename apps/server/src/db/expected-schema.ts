import { sql } from 'kysely';
import { readMigrationTexts } from './migrate.ts';
import type { Db } from './transaction.ts';

const kinds = { tables: 'table', functions: 'function' } as const;
type Kind = keyof typeof kinds;

/** Names that the migrations create, read from their own statements, so that none is forgotten. */
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

/** Tables or functions that the migrations create, and those of them that the database lacks. */
export async function compareSchema(
  db: Db,
  kind: Kind,
): Promise<{ expected: number; missing: string[] }> {
  const [expected, present] = [await expectedNames(kind), await presentNames(db, kind)];
  return { expected: expected.length, missing: expected.filter((name) => !present.has(name)) };
}
