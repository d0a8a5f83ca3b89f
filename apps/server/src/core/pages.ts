import { MOST_COUNTED } from '@linekeeper/contract/endpoint.ts';
import {
  type CompiledQuery,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { askCompiled } from '../db/fixed-statement.ts';
import { plannedForValues } from '../db/prepared.ts';
import type { Db } from '../db/transaction.ts';
import { fail } from './refusal.ts';

// biome-ignore lint/suspicious/noExplicitAny: a page is read alike from any tables
export type AnyQuery<Row> = SelectQueryBuilder<any, any, Row>;

export interface PageRequest {
  limit: number;
  sort: string;
  cursor?: string | undefined;
}

interface Cursor {
  sort: string;
  value: string;
  id: string;
}

/** The column with the rows' ids; those of groups are text, all others uuids. */
type IdColumn = string | { ref: string; type: 'text' };

const refOfId = (idColumn: IdColumn) =>
  sql.ref(typeof idColumn === 'string' ? idColumn : idColumn.ref);

function isIdOf(idColumn: IdColumn, id: unknown): id is string {
  if (typeof idColumn === 'string') return /^[0-9a-f-]{36}$/.test(String(id));
  return typeof id === 'string';
}

function readCursor(text: string, sort: string, idColumn: IdColumn): Cursor {
  try {
    const [cursorSort, value, id] = JSON.parse(Buffer.from(text, 'base64url').toString());
    const sound = cursorSort === sort && typeof value === 'string';
    if (sound && isIdOf(idColumn, id)) return { sort, value, id };
  } catch {
    // A cursor that cannot be parsed is refused below, like one that does not match.
  }
  return fail('INVALID_CURSOR');
}

function writeCursor({ sort, value, id }: Cursor): string {
  return Buffer.from(JSON.stringify([sort, value, id])).toString('base64url');
}

export interface Page<Row> {
  items: Row[];
  next_cursor: string | null;
  total: number | null;
  total_is_exact: boolean | null;
}

/** Number of rows in a list, counted up to 10,000; exact if there are no more. */
export interface Total {
  total: number;
  total_is_exact: boolean;
}

/** A column that a list can be sorted by, or an expression of several, with its SQL type. */
export interface SortColumn {
  ref: string | RawBuilder<unknown>;
  type: 'text' | 'date' | 'timestamptz' | 'bigint';
}

/** Position and order of a page. */
interface PageOrder {
  direction: 'asc' | 'desc';
  field: string;
  column: SortColumn;
  cursor: Cursor | null;
}

function sortRefOf({ ref }: SortColumn) {
  return typeof ref === 'string' ? sql.ref(ref) : ref;
}

function orderOf(
  request: PageRequest,
  columns: Record<string, SortColumn>,
  idColumn: IdColumn,
): PageOrder {
  const descending = request.sort.startsWith('-');
  const field = descending ? request.sort.slice(1) : request.sort;
  const column = columns[field];
  if (!column) throw new Error(`Cannot sort by ${request.sort}`);
  const cursor = request.cursor ? readCursor(request.cursor, request.sort, idColumn) : null;
  return { direction: descending ? 'desc' : 'asc', field, column, cursor };
}

/** Selects one row more than the page holds, to learn if there is a next page. */
function inOrder<Query extends AnyQuery<object>>(
  query: Query,
  { direction, column, cursor }: PageOrder,
  idColumn: IdColumn,
  limit: number,
): Query {
  const [sortRef, idRef] = [sortRefOf(column), refOfId(idColumn)];
  const idType = sql.raw(typeof idColumn === 'string' ? 'uuid' : idColumn.type);
  const ordered = query
    .orderBy(sortRef, direction)
    .orderBy(idRef, direction)
    .limit(sql.lit(limit + 1));
  if (!cursor) return ordered as Query;
  return ordered.where(
    sql<SqlBool>`(${sortRef}, ${idRef}) ${sql.raw(direction === 'desc' ? '<' : '>')}
      (cast(${cursor.value} as ${sql.raw(column.type)}), cast(${cursor.id} as ${idType}))`,
  ) as Query;
}

/** Reads rows; refuses forged cursors. */
async function readRows<Row>(order: PageOrder, reading: Promise<Row[]>): Promise<Row[]> {
  try {
    return await reading;
  } catch (error) {
    if (order.cursor && isDataError(error)) return fail('INVALID_CURSOR');
    throw error;
  }
}

/**
 * One page by keyset pagination: the rows after the cursor, ordered by `sort` (a field name, `-`
 * first for descending) and then by id. `matching` selects rows from as few tables as possible,
 * since it is scanned and counted. `rows` adds the columns, for the rows of the page only. The
 * total is counted on the first page, up to 10,000. The best plan depends on search and filters, so
 * the statement is not prepared.
 */
export async function readPage<Row extends { id: string }>(
  db: Db,
  request: PageRequest,
  columns: Record<string, SortColumn>,
  idColumn: IdColumn,
  matching: AnyQuery<object>,
  rows: AnyQuery<Row>,
  count: () => Promise<Total> = () => countTotal(db, matching),
): Promise<Page<Row>> {
  const order = orderOf(request, columns, idColumn);
  const [sortRef, idRef] = [sortRefOf(order.column), refOfId(idColumn)];
  const ids = inOrder(
    matching.select(sql<string>`${idRef}`.as('id')),
    order,
    idColumn,
    request.limit,
  );
  const query = rows
    .select(sql<string>`(${sortRef})::text`.as('sort_value'))
    .where(sql<SqlBool>`${idRef} = any(array(${ids})) ${plannedForValues}`)
    .orderBy(sortRef, order.direction)
    .orderBy(idRef, order.direction);
  const found = await readRows(
    order,
    query.execute() as unknown as Promise<(Row & { sort_value: string })[]>,
  );
  return asPage(found, request, ({ sort_value }) => sort_value, count);
}

/** Compiled statements for unfiltered lists, whose text depends only on order and page size. */
const wholePages = new Map<string, CompiledQuery>();

/**
 * One page of an unfiltered list, as a prepared statement: it follows an index in list order, so
 * the plan is good for any values. `name` identifies the list.
 */
export async function readWholePage<Row extends { id: string }>(
  db: Db,
  name: string,
  request: PageRequest,
  columns: Record<string, SortColumn>,
  idColumn: IdColumn,
  rows: (db: Db) => AnyQuery<Row>,
  count: () => Promise<Total>,
): Promise<Page<Row>> {
  const order = orderOf(request, columns, idColumn);
  const { field, cursor } = order;
  const key = [name, request.sort, request.limit, cursor ? 'next' : 'first'].join();
  const statement =
    wholePages.get(key) ?? inOrder(rows(db), order, idColumn, request.limit).compile();
  wholePages.set(key, statement);
  const parameters = cursor ? [cursor.value, cursor.id] : [];
  const found = await readRows(order, askCompiled(db, statement as CompiledQuery<Row>, parameters));
  return asPage(found, request, (row) => String(row[field as keyof Row]), count);
}

async function asPage<Row extends { id: string }>(
  found: Row[],
  request: PageRequest,
  sortValueOf: (row: Row) => string,
  count: () => Promise<Total>,
): Promise<Page<Row>> {
  const hasMore = found.length > request.limit;
  const items = hasMore ? found.slice(0, request.limit) : found;
  const last = items.at(-1);
  const next_cursor =
    hasMore && last
      ? writeCursor({ sort: request.sort, value: sortValueOf(last), id: last.id })
      : null;
  if (request.cursor) return { items, next_cursor, total: null, total_is_exact: null };
  // If everything fits on the first page, its length is the total.
  const total = hasMore ? await count() : { total: items.length, total_is_exact: true };
  return { items, next_cursor, ...total };
}

/** PostgreSQL's class 22: an invalid value for its type, such as the date in a forged cursor. */
function isDataError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('22');
}

async function countTotal(db: Db, matching: AnyQuery<object>): Promise<Total> {
  const { count } = await db
    .selectNoFrom(countUpTo(MOST_COUNTED + 1, matching).as('count'))
    .executeTakeFirstOrThrow();
  return asTotal(count);
}

export function asTotal(count: number): Total {
  return { total: Math.min(count, MOST_COUNTED), total_is_exact: count <= MOST_COUNTED };
}

/** Counts matching rows, reading at most `limit` of them. */
export function countUpTo(limit: number, matching: AnyQuery<object>) {
  const capped = matching.select(sql`1`.as('one')).limit(sql.lit(limit));
  return sql<number>`(select count(*) ${plannedForValues} from (${capped}) as capped)`;
}
