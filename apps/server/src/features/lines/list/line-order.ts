import type { linesList } from '@linekeeper/contract/lists/lists.ts';
import type { SelectQueryBuilder } from 'kysely';
import type { Database } from '../../../db/schema/schema.ts';
import type { Db } from '../../../db/transaction.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import type { SortColumns } from '../../../platform/paging/filtered.ts';
import {
  type AnyQuery,
  countTotal,
  cursorAtStart,
  type Page,
  type PageRequest,
  readPage,
  type SortColumn,
  sortOfCursor,
  type Total,
  uncounted,
  withTotal,
} from '../../../platform/paging/pages.ts';

type Lines = SelectQueryBuilder<Database, 'users', object>;

/** Columns by which lists of lines are sorted. */
export const sortColumns: Omit<SortColumns<typeof linesList>, 'last_seen'> = {
  added_date: { ref: 'users.added_date', type: 'date' },
  expiry_date: { ref: 'users.expiry_date', type: 'date' },
  username: { ref: 'users.username', type: 'text' },
};

/** Columns for the order by presence: lines that were online by the time of it, all others by the day of their sale. */
const seenColumns: Record<string, SortColumn> = {
  last_seen: { ref: 'line_presence.last_seen_at', type: 'timestamptz' },
  never_seen: { ref: 'users.added_date', type: 'date' },
};

const seenOrders: Record<string, readonly string[]> = {
  last_seen: ['never_seen', 'last_seen'],
  '-last_seen': ['-last_seen', '-never_seen'],
};

export const isByLastSeen = ({ sort }: PageRequest) => sort in seenOrders;

/** A page of the matching lines. `rows` adds the columns, of `users` joined with `line_presence`. Throws INVALID_CURSOR. */
export async function readLinePage<Row extends { id: string }>(
  db: Db,
  request: PageRequest,
  matching: Lines,
  rows: AnyQuery<Row>,
  count: () => Promise<Total> = () => countTotal(db, matching),
): Promise<Page<Row>> {
  const orders = seenOrders[request.sort];
  if (!orders) return readPage(db, request, sortColumns, 'users.id', matching, rows, count);
  return readSeenPage(db, request, orders, matching, rows, count);
}

/**
 * A page of two lists, one after the other, each with an index in its order, because lines that
 * were never online have no time by which to sort them among the others. The second list begins on
 * the page on which the first ends. Throws INVALID_CURSOR.
 */
async function readSeenPage<Row extends { id: string }>(
  db: Db,
  { limit, cursor }: PageRequest,
  orders: readonly string[],
  matching: Lines,
  rows: AnyQuery<Row>,
  count: () => Promise<Total>,
): Promise<Page<Row>> {
  const seen = matching.innerJoin('line_presence', 'line_presence.line_id', 'users.id');
  const never = matching.where('users.has_connected', '=', false);
  const items: Row[] = [];
  const begin = cursor === undefined ? 0 : orders.indexOf(sortOfCursor(cursor));
  if (begin < 0) return fail('INVALID_CURSOR');
  let next_cursor: string | null = null;
  for (const [index, sort] of orders.entries()) {
    if (index < begin || next_cursor !== null) continue;
    const [from, id] = sort.endsWith('last_seen')
      ? ([seen, 'line_presence.line_id'] as const)
      : ([never, 'users.id'] as const);
    const left = limit - items.length;
    const after = index === begin ? cursor : undefined;
    const part = { sort, limit: Math.max(1, left), cursor: after };
    const page = await readPage(db, part, seenColumns, id, from, rows, uncounted);
    if (left > 0) items.push(...page.items);
    // After a full page, the next one begins with the second list, if that has any lines.
    const isWholeNext = left === 0 && page.items.length > 0;
    next_cursor = isWholeNext ? cursorAtStart(sort) : page.next_cursor;
  }
  return withTotal({ items, next_cursor }, { cursor }, count);
}
