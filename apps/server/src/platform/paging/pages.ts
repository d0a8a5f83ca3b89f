import { MOST_COUNTED } from '@linekeeper/contract/endpoint.ts';
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import * as z from 'zod';
import { compiledQuery } from '../../db/compiled-query.ts';
import { isInvalidValue } from '../../db/errors.ts';
import { plannedForValues } from '../../db/prepared.ts';
import type { Db } from '../../db/transaction.ts';
import { fail } from '../errors/refusal.ts';

// biome-ignore lint/suspicious/noExplicitAny: a page can be read from any tables
export type AnyQuery<Row> = SelectQueryBuilder<any, any, Row>;

export interface PageRequest {
  limit: number;
  sort: string;
  cursor?: string | undefined;
}

/** True if a query filters nothing: it has only page and order. */
export function isUnfiltered({ limit, sort, cursor, ...filters }: PageRequest): boolean {
  return Object.values(filters).every((filter) => filter === undefined || filter === '');
}

/** A cursor: the list's sort, the last value that it is sorted by, and the id of that row. */
const cursorParts = z.tuple([z.string(), z.string(), z.string()]);

/** The contents of a cursor; null if the text is not a cursor. */
function readCursor(text: string) {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    const [sort, value, id] = cursorParts.parse(parts);
    return { sort, value, id };
  } catch {
    return null;
  }
}

const writeCursor = (...parts: z.infer<typeof cursorParts>): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

/** The sort for which a cursor was made; empty if the text is not a cursor. */
export const sortOfCursor = (text: string): string => readCursor(text)?.sort ?? '';

const LEAST_ID = '00000000-0000-0000-0000-000000000000';
const GREATEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The cursor before all rows of a list that is sorted by a day or moment. */
export function cursorAtStart(sort: string): string {
  return sort.startsWith('-')
    ? writeCursor(sort, 'infinity', GREATEST_ID)
    : writeCursor(sort, '-infinity', LEAST_ID);
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

const UNCOUNTED = { total: null, total_is_exact: null };

/** Counts the rows of a list. `found` are the rows that the page has read. */
type Count<Row> = (found: readonly Row[]) => Promise<Total | typeof UNCOUNTED>;

/** The count of lists that show no total. */
export const uncounted = async () => UNCOUNTED;

/** A column by which a list can be sorted, or an expression of several, with its SQL type. */
export interface SortColumn {
  ref: string | RawBuilder<unknown>;
  type: 'text' | 'date' | 'timestamptz' | 'bigint';
}

/** Position and order of a page. */
interface PageOrder {
  direction: 'asc' | 'desc';
  field: string;
  column: SortColumn;
  cursor: { value: string | RawBuilder<string>; id: string | RawBuilder<string> } | null;
}

function sortRefOf({ ref }: SortColumn) {
  return typeof ref === 'string' ? sql.ref(ref) : ref;
}

/** Position and order of a page. Throws INVALID_CURSOR for a text that is not a cursor of this sort. */
function orderOf(request: PageRequest, columns: Record<string, SortColumn>): PageOrder {
  const descending = request.sort.startsWith('-');
  const field = descending ? request.sort.slice(1) : request.sort;
  const column = columns[field];
  if (!column) throw new Error(`Cannot sort by ${request.sort}`);
  const cursor = request.cursor ? readCursor(request.cursor) : null;
  if (request.cursor && cursor?.sort !== request.sort) fail('INVALID_CURSOR');
  return { direction: descending ? 'desc' : 'asc', field, column, cursor };
}

/** Selects one row more than fits on the page, to find out if there is a next page. */
function inOrder<Query extends AnyQuery<object>>(
  query: Query,
  { direction, column, cursor }: PageOrder,
  idColumn: string,
  limit: number,
): Query {
  const [sortRef, idRef] = [sortRefOf(column), sql.ref(idColumn)];
  const ordered = query
    .orderBy(sortRef, direction)
    .orderBy(idRef, direction)
    .limit(sql.lit(limit + 1));
  if (!cursor) return ordered as Query;
  return ordered.where(
    sql<SqlBool>`(${sortRef}, ${idRef}) ${sql.raw(direction === 'desc' ? '<' : '>')}
      (cast(${cursor.value} as ${sql.raw(column.type)}), ${cursor.id})`,
  ) as Query;
}

type Sorted<Row> = Row & { sort_value: string };

/** Reads rows. Throws INVALID_CURSOR if a forged cursor has no value of the column's type. */
async function readRows<Row>(order: PageOrder, reading: Promise<Row[]>): Promise<Row[]> {
  try {
    return await reading;
  } catch (error) {
    if (order.cursor && isInvalidValue(error)) return fail('INVALID_CURSOR');
    throw error;
  }
}

/**
 * One page by keyset pagination: the rows after the cursor, ordered by `sort` (a field name, `-` first for descending)
 * and then by id. `matching` selects rows from as few tables as possible, because it is scanned and counted; it is a
 * function if parts of it need the list's order. `rows` adds the columns, for the rows of the page only. The total is
 * counted on the first page, up to 10,000. The best plan depends on search and filters, so the statement is not
 * prepared. Throws INVALID_CURSOR.
 * Decision 0019: rows are expensive to read, entries of an index are not.
 */
export async function readPage<Row extends { id: string }>(
  db: Db,
  request: PageRequest,
  columns: Record<string, SortColumn>,
  idColumn: string,
  matching: Matching,
  rows: AnyQuery<Row>,
  count?: Count<Row>,
): Promise<Page<Row>> {
  const order = orderOf(request, columns);
  const [sortRef, idRef] = [sortRefOf(order.column), sql.ref(idColumn)];
  const ordered: InOrder = (query) => inOrder(query, order, idColumn, request.limit);
  const ids = ordered(partsOf(matching, ordered).select(sql<string>`${idRef}`.as('id')));
  const query = rows
    .select(sql<string>`(${sortRef})::text`.as('sort_value'))
    .where(sql<SqlBool>`${idRef} = any(array(${ids})) ${plannedForValues}`)
    .orderBy(sortRef, order.direction)
    .orderBy(idRef, order.direction);
  const found = await readRows(order, query.execute() as unknown as Promise<Sorted<Row>[]>);
  const countAll = () =>
    countTotal(
      db,
      partsOf(matching, (rows) => rows),
    );
  return asPage(found, request, 'sort_value', count ?? countAll);
}

/** Puts a part of a list in the list's order, after the cursor, and no longer than the page. */
export type InOrder = <Query extends AnyQuery<object>>(query: Query) => Query;

/** A list whose statement depends only on order and page size. */
interface WholeList<Row, Name extends string> {
  /** The list's name, under which its statement is prepared. */
  name: string;
  /** Values that the statement needs, by name. */
  values?: Record<Name, string>;
  /** Selects the rows. `inOrder` is for parts that the database would read whole, such as those of a union. */
  rows(db: Db, given: Record<Name, string>, inOrder: InOrder): AnyQuery<Row>;
}

type AskForPage = (db: Db, values: Record<string, unknown>) => Promise<unknown[]>;
const wholePages = new Map<string, AskForPage>();
const CURSOR = ['cursor_value', 'cursor_id'] as const;

/**
 * Reads one page of an unfiltered list with a prepared statement. The page follows an index in list order, so one plan
 * is good for any values. A text or day that the list is sorted by is read from the row itself, because reading it a
 * second time took a tenth of the time. `count` is called with the rows that were read, if more rows follow. Throws
 * INVALID_CURSOR.
 */
export async function readWholePage<Row extends { id: string }, Name extends string = never>(
  db: Db,
  request: PageRequest,
  columns: Record<string, SortColumn>,
  idColumn: string,
  list: WholeList<Row, Name>,
  count: Count<Row>,
): Promise<Page<Row>> {
  const order = orderOf(request, columns);
  const { field, column, cursor } = order;
  const isInRows = column.type === 'text' || column.type === 'date';
  const { name, values = {} as Record<Name, string> } = list;
  const key = [name, request.sort, request.limit, cursor ? 'next' : 'first'].join();
  const names = [...(Object.keys(values) as Name[]), ...CURSOR];
  const ask =
    wholePages.get(key) ??
    compiledQuery(names, (within, given) => {
      // The values are hidden in subqueries, because otherwise PostgreSQL would plan the statement
      // again for them: such a plan looks cheaper than the kept one.
      const unseen = (value: string) => sql<string>`(select ${value}::text)`;
      const after = cursor && {
        value: unseen(given.cursor_value),
        id: sql<string>`${unseen(given.cursor_id)}::uuid`,
      };
      const ordered: InOrder = (query) =>
        inOrder(query, { ...order, cursor: after }, idColumn, request.limit);
      const rows = ordered(list.rows(within, given, ordered));
      return isInRows
        ? rows
        : rows.select(sql<string>`(${sortRefOf(column)})::text`.as('sort_value'));
    });
  wholePages.set(key, ask);
  const asked = ask(db, { ...values, cursor_value: cursor?.value, cursor_id: cursor?.id });
  const found = await readRows(order, asked as Promise<Row[]>);
  return asPage(found, request, isInRows ? field : 'sort_value', count);
}

async function asPage<Row extends { id: string }>(
  found: readonly Row[],
  request: PageRequest,
  sortField: string,
  count: Count<Row>,
): Promise<Page<Row>> {
  const { sort, limit } = request;
  const hasMore = found.length > limit;
  const items = found.slice(0, limit);
  const last = hasMore && items.at(-1);
  const sortValueOf = (row: Row) => String(row[sortField as keyof Row]);
  const next_cursor = last ? writeCursor(sort, sortValueOf(last), last.id) : null;
  return withTotal({ items, next_cursor }, request, () => count(found));
}

/** Adds the total to a first page; if everything fits on it, its length is the total. */
export async function withTotal<Row>(
  page: Pick<Page<Row>, 'items' | 'next_cursor'>,
  { cursor }: Pick<PageRequest, 'cursor'>,
  count: () => ReturnType<Count<Row>>,
): Promise<Page<Row>> {
  if (cursor) return { ...page, ...UNCOUNTED };
  const whole = { total: page.items.length, total_is_exact: true };
  return { ...page, ...(page.next_cursor ? await count() : whole) };
}

type Matching = AnyQuery<object> | ((inOrder: InOrder) => AnyQuery<object>);

const partsOf = (matching: Matching, ordered: InOrder) =>
  typeof matching === 'function' ? matching(ordered) : matching;

/** Counts the rows of a list up to 10,000. */
export async function countTotal(db: Db, matching: AnyQuery<object>): Promise<Total> {
  return asTotal(await countRows(db, MOST_COUNTED + 1, matching));
}

/** Counts matching rows, reading at most `limit` of them. */
export async function countRows(
  db: Db,
  limit: number,
  matching: AnyQuery<object>,
): Promise<number> {
  const counted = db.selectNoFrom(countUpTo(limit, matching).as('count'));
  return (await counted.executeTakeFirstOrThrow()).count;
}

/** Rows so far above the counted maximum that a few seconds of deletions cannot bring the total below it. */
const FAR_BEYOND = 2 * MOST_COUNTED;
const FAR_BEYOND_FOR_MS = 5000;
/** Milliseconds for which an unchanged total is kept: a database crash may reset a version. */
const UNCHANGED_FOR_MS = 60_000;
const MOST_REMEMBERED = 1000;

/** The changes of the tables on which a total depends. */
interface Changes {
  /** The version, which is raised before the commit of each change. */
  readVersion(db: Db): Promise<number>;
  nothingIsUnderWay(db: Db): Promise<boolean>;
}

interface Remembered {
  count: number;
  /** The version of the tables; undefined if changes are not reported, or were in progress. */
  version: number | undefined;
  countedAt: number;
  /** Time when the total was counted, or when its version was last found unchanged. */
  checkedAt: number;
}

/** Counts by the names of lists, for each database. */
const remembered = new WeakMap<Db, Map<string, Remembered>>();

/**
 * The total of a list, remembered under `name`; `count` counts up to a maximum. A total far above that maximum is
 * remembered for a few seconds, during which "10,000 or more" stays true. Any other total is remembered as long as
 * `changes` report none, also in another panel. The order of the three statements matters. Changes that raised the
 * version before the first statement were either committed before the second and are counted by the third, or the
 * second finds them in progress and the total is not remembered. Later changes raise the version again.
 */
export async function totalOfMany(
  db: Db,
  name: string,
  count: (most: number) => Promise<number>,
  changes?: Changes,
): Promise<Total> {
  const known = remembered.get(db) ?? new Map<string, Remembered>();
  remembered.set(db, known);
  const last = known.get(name);
  const now = performance.now();
  if (last && last.count > FAR_BEYOND && now - last.checkedAt < FAR_BEYOND_FOR_MS) {
    return asTotal(last.count);
  }
  const version = await changes?.readVersion(db);
  const isUnchanged = version !== undefined && version === last?.version;
  if (last && isUnchanged && now - last.countedAt < UNCHANGED_FOR_MS) {
    last.checkedAt = now;
    return asTotal(last.count);
  }
  const isQuiet = await changes?.nothingIsUnderWay(db);
  const found = await count(FAR_BEYOND + 1);
  known.delete(name);
  if (known.size >= MOST_REMEMBERED) known.clear();
  if (isQuiet || found > FAR_BEYOND) {
    const unchanged = isQuiet ? version : undefined;
    known.set(name, { count: found, version: unchanged, countedAt: now, checkedAt: now });
  }
  return asTotal(found);
}

export function asTotal(count: number): Total {
  return { total: Math.min(count, MOST_COUNTED), total_is_exact: count <= MOST_COUNTED };
}

/** The number of matching rows, of which at most `limit` are read. */
export function countUpTo(limit: number, matching: AnyQuery<object>) {
  const capped = matching.select(sql`1`.as('one')).limit(sql.lit(limit));
  return sql<number>`(select count(*) ${plannedForValues} from (${capped}) as capped)`;
}
