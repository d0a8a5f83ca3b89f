import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { changedByJobs, writtenByJobs } from './dump.ts';

type Row = Record<string, unknown>;
/** All rows by table and primary key. */
export type Rows = Map<string, { table: string; row: Row }>;

/** Stored replies differ with every request, and scheduled jobs belong to no request. */
const untouched = [
  'idempotency_keys',
  'schema_migrations',
  'schema_migrations_lock',
  ...writtenByJobs,
];

/** The primary key of each table; a database that tests use gets no tables while they run. */
const keysOf = new WeakMap<Db, Promise<Map<string, string[]>>>();

function primaryKeys(db: Db): Promise<Map<string, string[]>> {
  const known = keysOf.get(db) ?? findPrimaryKeys(db);
  keysOf.set(db, known);
  return known;
}

async function findPrimaryKeys(db: Db): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select conrelid::regclass::text as table, array_agg(attname::text order by attnum) as columns
      from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any (conkey)
      where contype = 'p' and connamespace = 'public'::regnamespace
      group by conrelid`.execute(db);
  return new Map(
    rows
      .filter(({ table }) => !untouched.includes(table))
      .map(({ table, columns }) => [table, columns]),
  );
}

/** One statement for all tables: a call for each of them cost most of what these tests took. */
export async function readRows(db: Db): Promise<Rows> {
  const keys = await primaryKeys(db);
  const tables = [...keys.keys()].map(
    (table) =>
      sql`select ${sql.lit(table)} as table, to_jsonb(t) - ${changedByJobs}::text[] as row
      from ${sql.table(table)} t`,
  );
  const { rows } = await sql<{ table: string; row: Row }>`
    ${sql.join(tables, sql` union all `)}`.execute(db);
  return new Map(
    rows.map(({ table, row }) => {
      const key = (keys.get(table) ?? []).map((column) => row[column]);
      return [JSON.stringify([table, ...key]), { table, row }];
    }),
  );
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Replaces values that differ in every run, such as ids and times; `known` ids stay. */
function general(value: unknown, known: ReadonlySet<string>): unknown {
  if (typeof value === 'object' && value !== null) {
    return JSON.parse(String(general(JSON.stringify(value), known)));
  }
  if (typeof value !== 'string') return value;
  return value
    .replace(ID, (id) => (known.has(id) ? id : '<id>'))
    .replace(/unique[0-9a-f]{12}/g, '<unique>')
    .replace(/(?!2099)\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, '<moment>')
    .replace(/(?!2099)\b\d{4}-\d\d-\d\d\b/g, '<day>')
    .replace(/^v1:[\w+/=]+$/, '<sealed>')
    .replace(/^\$argon2id\$.*$/, '<hash>')
    .replace(/^\w{32}$/, '<token>');
}

function changedColumns(before: Row, after: Row, known: ReadonlySet<string>): Row {
  return Object.fromEntries(
    Object.entries(after)
      .filter(([column, value]) => JSON.stringify(value) !== JSON.stringify(before[column]))
      .map(([column, value]) => {
        const was = before[column];
        const isNumber = typeof value === 'number' && typeof was === 'number';
        return [column, isNumber ? `moved by ${value - was}` : general(value, known)];
      }),
  );
}

/** The rows inserted, updated and deleted, as text that is equal for two runs of the same request. */
export function changesBetween(before: Rows, after: Rows): string[] {
  const changes: string[] = [];
  const known = new Set(JSON.stringify([...before.values()]).match(ID));
  for (const [key, { table, row }] of after) {
    const old = before.get(key)?.row;
    const columns = old
      ? changedColumns(old, row, known)
      : Object.fromEntries(
          Object.entries(row).map(([column, value]) => [column, general(value, known)]),
        );
    if (Object.keys(columns).length === 0) continue;
    changes.push(`${old ? 'update' : 'insert'} ${table} ${JSON.stringify(columns)}`);
  }
  for (const [key, { table }] of before) if (!after.has(key)) changes.push(`delete ${table}`);
  return changes.sort();
}
