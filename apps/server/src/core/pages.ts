import { MOST_COUNTED } from '@linekeeper/contract/endpoint.ts';
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../db/transaction.ts';
import { fail } from './refusal.ts';

// biome-ignore lint/suspicious/noExplicitAny: a page is read alike from any tables
export type AnyQuery<Row> = SelectQueryBuilder<any, any, Row>;

const uncounted = { total: null, total_is_exact: null };

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

function readCursor(text: string, sort: string): Cursor {
  try {
    const [cursorSort, value, id] = JSON.parse(Buffer.from(text, 'base64url').toString());
    const sound =
      cursorSort === sort && typeof value === 'string' && /^[0-9a-f-]{36}$/.test(String(id));
    if (sound) return { sort, value, id };
  } catch {
    // Falls through: a cursor that cannot be read is refused like one that does not fit.
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

/** A column that a list may be sorted by, and its SQL type. */
export interface SortColumn {
  ref: string;
  type: 'text' | 'date' | 'timestamptz' | 'bigint';
}

/**
 * One page by keyset: the rows after the cursor in the order of `sort` (a field name, `-` before it
 * for descending) and then of the id. `matching` says which rows, with as few tables as that needs:
 * it is walked and counted. `rows` says what is read of each, and is asked for those of the page alone.
 * The total is counted on the first page, up to 10,000.
 */
export async function readPage<Row extends { id: string }>(
  db: Db,
  request: PageRequest,
  columns: Record<string, SortColumn>,
  idColumn: string,
  matching: AnyQuery<object>,
  rows: AnyQuery<Row>,
): Promise<Page<Row>> {
  const descending = request.sort.startsWith('-');
  const column = columns[descending ? request.sort.slice(1) : request.sort];
  if (!column) throw new Error(`Cannot sort by ${request.sort}`);
  const direction = descending ? 'desc' : 'asc';
  const [sortRef, idRef] = [sql.ref(column.ref), sql.ref(idColumn)];

  let ids = matching
    .select(sql<string>`${idRef}`.as('id'))
    .orderBy(sortRef, direction)
    .orderBy(idRef, direction)
    .limit(request.limit + 1);
  if (request.cursor) {
    const { value, id } = readCursor(request.cursor, request.sort);
    ids = ids.where(
      sql<SqlBool>`(${sortRef}, ${idRef}) ${sql.raw(descending ? '<' : '>')}
        (cast(${value} as ${sql.raw(column.type)}), cast(${id} as uuid))`,
    );
  }
  const query = rows
    .select(sql<string>`(${sortRef})::text`.as('sort_value'))
    .where(sql<SqlBool>`${idRef} = any(array(${ids}))`)
    .orderBy(sortRef, direction)
    .orderBy(idRef, direction);
  const reading = query.execute().catch((error: unknown) => {
    if (request.cursor && isDataError(error)) return fail('INVALID_CURSOR');
    throw error;
  }) as unknown as Promise<(Row & { sort_value: string })[]>;
  const [found, total] = await Promise.all([
    reading,
    request.cursor ? uncounted : countTotal(db, matching),
  ]);
  const items = found.slice(0, request.limit);
  const last = items.at(-1);
  return {
    items,
    next_cursor:
      found.length > request.limit && last
        ? writeCursor({ sort: request.sort, value: last.sort_value, id: last.id })
        : null,
    ...total,
  };
}

/** PostgreSQL's class 22: a value that is none of its type, such as the day of a forged cursor. */
function isDataError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('22');
}

async function countTotal(db: Db, matching: AnyQuery<object>) {
  const { count } = await db
    .selectNoFrom(countUpTo(MOST_COUNTED + 1, matching).as('count'))
    .executeTakeFirstOrThrow();
  return { total: Math.min(count, MOST_COUNTED), total_is_exact: count <= MOST_COUNTED };
}

/** How many rows match, and no more than `limit` of them are looked at. */
export function countUpTo(limit: number, matching: AnyQuery<object>) {
  const capped = matching.select(sql`1`.as('one')).limit(limit);
  return sql<number>`(select count(*) from (${capped}) as capped)`;
}
