import { sql } from 'kysely';
import type { Db } from '../transaction.ts';

/**
 * Tables left out of backups. A restored session, link or counter would undo what was ended on
 * purpose since then, and a mail would come again; the migrations are in the file's head.
 */
const leftOut = new Set([
  'auth_sessions',
  'auth_verifications',
  'awaited_servers',
  'email_changes',
  'mails',
  'one_time_tokens',
  'password_reset_links',
  'rate_limits',
  'schema_migrations',
  'schema_migrations_lock',
  'two_factor_challenges',
]);

/**
 * On the embedded database each fetch blocks the process for a few hundredths of a second, and its
 * memory holds all that is fetched.
 */
const ROWS_A_FETCH = 1000;
/** Tables whose rows are large: those of half a megabyte as text. */
const fewRowsAFetch: Record<string, number> = { attachment_chunks: 4 };

export interface Column {
  name: string;
  /** SQL type: uuid, text[], timestamp with time zone … */
  type: string;
}

export interface Table {
  name: string;
  /** Stored columns only, without generated ones. */
  columns: Column[];
  /** The primary key as an ORDER BY clause that sorts alike on every server. */
  order: string;
  /** How many rows are fetched at once. */
  rows_a_fetch: number;
}

interface FoundColumn extends Column {
  table: string;
  key_position: number | null;
  has_collation: boolean;
}

/** True for a table that backups leave out now, but that an older panel, which does not know it, saves. */
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
