import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../db/transaction.ts';
import { fail } from './refusal.ts';

const MAX_COUNTED = 10_000;

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
 * for descending) and then of the id. `select` adds the columns to read to `matching`, which has the
 * tables and filters. The total is counted on the first page, up to 10,000.
 */
export async function readPage<DB, TB extends keyof DB, Row extends { id: string }>(
  db: Db,
  request: PageRequest,
  columns: Record<string, SortColumn>,
  idColumn: string,
  matching: SelectQueryBuilder<DB, TB, object>,
  select: (query: SelectQueryBuilder<DB, TB, object>) => SelectQueryBuilder<DB, TB, Row>,
): Promise<Page<Row>> {
  const descending = request.sort.startsWith('-');
  const column = columns[descending ? request.sort.slice(1) : request.sort];
  if (!column) throw new Error(`Cannot sort by ${request.sort}`);
  const direction = descending ? 'desc' : 'asc';
  const [sortRef, idRef] = [sql.ref(column.ref), sql.ref(idColumn)];

  let query = select(matching)
    .select(sql<string>`(${sortRef})::text`.as('sort_value'))
    .orderBy(sortRef, direction)
    .orderBy(idRef, direction)
    .limit(request.limit + 1);
  if (request.cursor) {
    const { value, id } = readCursor(request.cursor, request.sort);
    query = query.where(
      sql<SqlBool>`(${sortRef}, ${idRef}) ${sql.raw(descending ? '<' : '>')}
        (cast(${value} as ${sql.raw(column.type)}), cast(${id} as uuid))`,
    );
  }
  const found = (await query.execute().catch((error: unknown) => {
    if (request.cursor && isDataError(error)) return fail('INVALID_CURSOR');
    throw error;
  })) as unknown as (Row & { sort_value: string })[];
  const items = found.slice(0, request.limit);
  const last = items.at(-1);
  return {
    items,
    next_cursor:
      found.length > request.limit && last
        ? writeCursor({ sort: request.sort, value: last.sort_value, id: last.id })
        : null,
    ...(request.cursor ? { total: null, total_is_exact: null } : await countUpTo(db, matching)),
  };
}

/** PostgreSQL's class 22: a value that is none of its type, such as the day of a forged cursor. */
function isDataError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('22');
}

async function countUpTo<DB, TB extends keyof DB>(
  db: Db,
  matching: SelectQueryBuilder<DB, TB, object>,
) {
  const capped = matching.select(sql`1`.as('one')).limit(MAX_COUNTED + 1);
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${capped}) as capped`.execute(db);
  const count = rows[0]?.count ?? 0;
  return { total: Math.min(count, MAX_COUNTED), total_is_exact: count <= MAX_COUNTED };
}
