import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Tx } from '../transaction.ts';
import type { TableDigest } from './file-format.ts';

/**
 * Tables left out of backups. A restored session, link or counter would revive something that was ended on purpose
 * since then, and an email would be sent twice. A device shows notifications as long as its session. The migrations are in the file's head.
 */
const leftOut = new Set([
  'auth_sessions',
  'auth_verifications',
  'awaited_servers',
  'email_changes',
  'mails',
  'one_time_tokens',
  'password_reset_links',
  'push_subscriptions',
  'rate_limits',
  'schema_migrations',
  'schema_migrations_lock',
  'two_factor_challenges',
  'web_pushes',
]);

/**
 * Rows per fetch. On the embedded database each fetch blocks the process for a few hundredths of a
 * second, and its memory contains all fetched rows.
 */
const ROWS_A_FETCH = 1000;
/** Rows per fetch for tables whose rows are large, up to half a megabyte as text. */
const fewRowsAFetch: Record<string, number> = { attachment_chunks: 4 };

export interface Column {
  name: string;
  /** SQL type: uuid, text[], timestamp with time zone … */
  type: string;
}

export interface Table {
  name: string;
  /** The table's stored columns, without generated ones. */
  columns: Column[];
  /** The primary key as an ORDER BY clause that gives the same order on every server. */
  order: string;
  /** Rows per fetch for this table. */
  rows_a_fetch: number;
}

interface FoundColumn extends Column {
  table: string;
  key_position: number | null;
  has_collation: boolean;
}

/** True for a table that backups leave out now, but that an older panel without this rule includes. */
export const isLeftOut = (table: string) => leftOut.has(table);

/** All tables that a backup contains, by name. */
export async function readTables(db: Db): Promise<Table[]> {
  const { rows } = await sql<FoundColumn>`
    select class.relname as table, attribute.attname as name,
      format_type(attribute.atttypid, attribute.atttypmod) as type,
      array_position(key.indkey::int2[], attribute.attnum) as key_position,
      attribute.attcollation <> 0 as has_collation
    from pg_class class
    join pg_attribute attribute on attribute.attrelid = class.oid
    left join pg_index key on key.indrelid = class.oid and key.indisprimary
    where class.relnamespace = current_schema()::regnamespace and class.relkind = 'r'
      and attribute.attnum > 0 and not attribute.attisdropped and attribute.attgenerated = ''
    order by class.relname collate "C", attribute.attnum`.execute(db);
  const byTable = Map.groupBy(
    rows.filter(({ table }) => !leftOut.has(table)),
    ({ table }) => table,
  );
  return [...byTable].map(([name, columns]) => ({
    name,
    columns: columns.map(({ name, type }) => ({ name, type })),
    order: keyOrder(name, columns),
    rows_a_fetch: fewRowsAFetch[name] ?? ROWS_A_FETCH,
  }));
}

function keyOrder(table: string, columns: FoundColumn[]): string {
  const key = columns
    .filter(({ key_position }) => key_position !== null)
    .sort((a, b) => Number(a.key_position) - Number(b.key_position));
  if (key.length === 0) throw new Error(`The table ${table} has no primary key to be read by`);
  return key
    .map(({ name, has_collation }) => `${quote(name)}${has_collation ? ' collate "C"' : ''}`)
    .join(', ');
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export class TableDigester {
  #rows = 0;
  readonly #hash = createHash('sha256');

  /** Adds rows to the proof. `text` contains whole rows, each with its line feed. */
  add(rows: number, text: string | Buffer): void {
    this.#rows += rows;
    this.#hash.update(text);
  }

  finish(): TableDigest {
    return { rows: this.#rows, sha256: this.#hash.digest('hex') };
  }
}

/** Makes the database write every value as the same text on any server, until the transaction ends. */
export async function fixTextForms(tx: Tx): Promise<void> {
  await sql
    .raw(
      `set local time zone 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'iso_8601';
        set local bytea_output = 'hex'; set local extra_float_digits = 1`,
    )
    .execute(tx);
}

/**
 * Yields a table's rows in key order in batches. Each row is a JSON array of its columns in the
 * database's text form, which is lossless and readable by every version.
 */
export async function* readRows(
  tx: Tx,
  { name, columns, order, rows_a_fetch }: Table,
): AsyncGenerator<string[]> {
  const values = columns.map((column) => `${quote(column.name)}::text`).join(', ');
  await sql
    .raw(
      `declare backup_rows no scroll cursor for
        select array_to_json(array[${values}])::text as row from ${quote(name)} order by ${order}`,
    )
    .execute(tx);
  for (;;) {
    const { rows } = await sql
      .raw<{ row: string }>(`fetch ${rows_a_fetch} from backup_rows`)
      .execute(tx);
    if (rows.length > 0) yield rows.map(({ row }) => row);
    if (rows.length < rows_a_fetch) break;
  }
  await sql`close backup_rows`.execute(tx);
}

export const asLines = (rows: string[]) => `${rows.join('\n')}\n`;

export async function digestTable(tx: Tx, table: Table): Promise<TableDigest> {
  const proof = new TableDigester();
  for await (const rows of readRows(tx, table)) proof.add(rows.length, asLines(rows));
  return proof.finish();
}
