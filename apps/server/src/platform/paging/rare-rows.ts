import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { plannedForValues } from '../../db/prepared.ts';
import type { Db } from '../../db/transaction.ts';
import type { AnyQuery } from './pages.ts';

/**
 * Tables whose search needs a look at rare words. PostgreSQL guesses how common a word is from some
 * hundred texts of a column. If a word is in one of these by chance, although hardly any row has
 * it, it counts as common, and the search reads row after row in the order of the list, which takes
 * minutes in a table of millions. A sample of a thousand rows is a better basis.
 */

type Table = 'users' | 'audit_log';

/** Number of rows from which a table is large; smaller ones are read in milliseconds. */
const LARGE = 200_000;
const SAMPLED_ROWS = 1000;
/**
 * Number of matches in the sample from which a word is common; rows with a word of fewer, about 0.3
 * %, are found through an index.
 */
const COMMON_FROM = 3;
const REMEMBERED_FOR_MS = 600_000;

const sizes = new WeakMap<Db, Map<Table, { rows: Promise<number>; readAt: number }>>();

/** The approximate number of rows of a table; below 0 if PostgreSQL never counted them. */
function sizeOf(db: Db, table: Table): Promise<number> {
  const known = sizes.get(db) ?? new Map();
  sizes.set(db, known);
  const found = known.get(table);
  if (found && performance.now() - found.readAt < REMEMBERED_FOR_MS) return found.rows;
  const size = sql<number>`(select reltuples from pg_class where oid = to_regclass(${table}))`;
  const reading = db.selectNoFrom(size.as('rows')).executeTakeFirst();
  const rows = reading.then((read) => Number(read?.rows ?? 0));
  known.set(table, { rows, readAt: performance.now() });
  rows.catch(() => known.delete(table));
  return rows;
}

/**
 * True if a condition is met by fewer than 3 of 1,000 sampled rows of a large table, so that an index finds its rows
 * faster than reading the list in order. Always false for a table of fewer than 200,000 rows.
 */
export async function isRare(
  db: Db,
  table: Table,
  condition: RawBuilder<SqlBool>,
): Promise<boolean> {
  const rows = await sizeOf(db, table);
  if (rows < LARGE) return false;
  const percent = sql.lit((100 * SAMPLED_ROWS) / rows);
  // `repeatable` samples the same pages each time, which therefore stay in memory.
  const sample = await sql<{ found: number }>`
    select count(*) ${plannedForValues} as found
    from ${sql.table(table)} tablesample system (${percent}) repeatable (0)
    where ${condition}`.execute(db);
  return (sample.rows[0]?.found ?? 0) < COMMON_FROM;
}

/** The query in a form in which all its rows are found before they are sorted. `columns` are the selected ones. */
export function foundFirst<Query extends AnyQuery<object>>(
  db: Db,
  table: Table,
  columns: readonly string[],
  query: Query,
): Query {
  // A subquery with an offset is planned separately.
  const all = query.select(columns.map((column) => sql.ref(`${table}.${column}`).as(column)));
  return db.selectFrom(all.offset(sql.lit(0)).as(table)) as unknown as Query;
}
