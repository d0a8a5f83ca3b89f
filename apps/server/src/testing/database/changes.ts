import { auditFields } from '@linekeeper/contract/testing/audit-fields.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import type { TestPanel } from '../panel.ts';
import { changedByJobs, writtenByJobs } from './dump.ts';

type Row = Record<string, unknown>;
/** The rows of each table as JSON by primary key; only those that changed are parsed. */
export type Rows = Map<string, TableRows>;
interface TableRows {
  /** A value that is different after every change of the table. */
  mark: string;
  rows: Map<string, string>;
}

/**
 * Tables that are not compared, because stored replies differ with every request, and scheduled
 * jobs belong to no request.
 */
const untouched = [
  'idempotency_keys',
  'schema_migrations',
  'schema_migrations_lock',
  ...writtenByJobs,
];

/** The primary key of each table. It is read once, because no table is added to a test's database. */
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

const lastRead = new WeakMap<Db, Rows>();

/**
 * Reads only the tables that were changed since the last call, because reading all of them took
 * most of the tests' time.
 */
export async function readRows(db: Db): Promise<Rows> {
  const keys = await primaryKeys(db);
  const known = lastRead.get(db);
  const marks = await readTables<{ mark: string }>(
    db,
    [...keys.keys()],
    () => sql`concat_ws(' ', count(*), max(xmin::text::bigint)) as mark`,
  );
  const changed = marks.filter(({ table, mark }) => known?.get(table)?.mark !== mark);
  const read = await readTables<{ key: string; json: string }>(
    db,
    changed.map(({ table }) => table),
    (table) => {
      const key = sql.join((keys.get(table) ?? []).map((column) => sql.ref(column)));
      return sql`jsonb_build_array(${key})::text as key,
        (to_jsonb(t) - ${changedByJobs}::text[])::text as json`;
    },
  );
  const rows: Rows = new Map(known);
  for (const { table, mark } of changed) rows.set(table, { mark, rows: new Map() });
  for (const { table, key, json } of read) rows.get(table)?.rows.set(key, json);
  lastRead.set(db, rows);
  return rows;
}

/** Reads the same columns of several tables in one statement. */
async function readTables<T>(
  db: Db,
  tables: string[],
  columns: (table: string) => RawBuilder<unknown>,
): Promise<(T & { table: string })[]> {
  if (tables.length === 0) return [];
  const selects = tables.map(
    (table) => sql`select ${sql.lit(table)} as table, ${columns(table)} from ${sql.table(table)} t`,
  );
  const { rows } = await sql<T & { table: string }>`
    ${sql.join(selects, sql` union all `)}`.execute(db);
  return rows;
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Replaces values that differ in every run, such as ids and times; the ids in `known` stay. */
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
  const changed = [...after].filter(([table, { mark }]) => before.get(table)?.mark !== mark);
  if (changed.length === 0) return [];
  const known = new Set(
    [...before.values()].flatMap(({ rows }) =>
      [...rows.values()].flatMap((row) => row.match(ID) ?? []),
    ),
  );
  return changed
    .flatMap(([table, { rows }]) => {
      const old = before.get(table)?.rows ?? new Map<string, string>();
      const deleted = [...old.keys()].filter((key) => !rows.has(key));
      return [
        ...[...rows].flatMap(([key, json]) => changeOf(table, old.get(key), json, known)),
        ...deleted.map(() => `delete ${table}`),
      ];
    })
    .sort();
}

function changeOf(
  table: string,
  before: string | undefined,
  after: string,
  known: ReadonlySet<string>,
): string[] {
  if (before === after) return [];
  const row: Row = JSON.parse(after);
  const columns = before
    ? changedColumns(JSON.parse(before), row, known)
    : Object.fromEntries(
        Object.entries(row).map(([column, value]) => [column, general(value, known)]),
      );
  if (Object.keys(columns).length === 0) return [];
  return [`${before ? 'update' : 'insert'} ${table} ${JSON.stringify(columns)}`];
}

const known = new Set<string>(auditFields);

/** Fields in all entries of the audit log for which the contract has no name, and so the panel no words. */
export async function unknownAuditFields({ services: { db } }: TestPanel): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct jsonb_object_keys(part) as name
    from audit_log, unnest(array[before, after, data]) as part
    where jsonb_typeof(part) = 'object'`.execute(db);
  return rows.map(({ name }) => name).filter((name) => !known.has(name));
}
