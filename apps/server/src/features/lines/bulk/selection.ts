import type { Day } from '@linekeeper/contract/dates.ts';
import { type BulkRequest, MAX_BULK_LINES } from '@linekeeper/contract/lines/bulk.ts';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';
import type { Scope } from '../../../domain/context/access.ts';
import { filterLines } from '../../../domain/lines/line-filters.ts';
import { visibleLines } from '../../../domain/lines/line-sets.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { type ChangeableLine, changeableColumns } from '../change/locked-line.ts';

type Selecting = Exclude<BulkRequest, { action: 'import' }>;

/** A requested line; null if it does not exist or is not visible. */
export interface Selected {
  id: string;
  line: ChangeableLine | null;
}

/** The lines of a request: in the order of its ids, or those matching its filter, newest first. */
export async function selectLines(
  db: Db,
  scope: Scope,
  today: Day,
  { ids, filter }: Pick<Selecting, 'ids' | 'filter'>,
): Promise<Selected[]> {
  const lines = visibleLines(db, scope);
  if (ids) {
    const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
    const found = await lines
      .select(changeableColumns)
      .where(sql<SqlBool>`users.id = any(${wanted}::uuid[])`)
      .execute();
    const byId = new Map(found.map((line) => [line.id, line]));
    return wanted.map((id) => ({ id, line: byId.get(id) ?? null }));
  }
  const found = await filterLines(lines, filter ?? {}, today)
    .select(changeableColumns)
    .orderBy('users.added_date', 'desc')
    .orderBy('users.id', 'desc')
    .limit(MAX_BULK_LINES + 1)
    .execute();
  if (found.length > MAX_BULK_LINES) fail('TOO_MANY_LINES', { maximum: MAX_BULK_LINES });
  return found.map((line) => ({ id: line.id, line }));
}
