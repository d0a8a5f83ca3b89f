import { linesList } from '@linekeeper/contract/lists/lists.ts';
import type { BulkBody } from '#domain/jobs/queries.ts';
import { useSelection } from '#kit/list/selection/selection-context.tsx';
import { useListSearch, useTotal } from '#kit/list/use-list.ts';
import { bodyFilter } from '#screens/address.ts';

/** The lines of a bulk action: their ids, or the filter that matches them. */
export type BulkLines = Pick<Exclude<BulkBody, { action: 'import' }>, 'ids' | 'filter'>;

/**
 * The selected lines for a job's request; `count` is null while the number of matches is unknown.
 */
export function useBulkSelection() {
  const { search } = useListSearch();
  const { selection, clear } = useSelection();
  const { total, isExact } = useTotal(search);
  const { isAll } = selection;
  const lines: BulkLines = isAll
    ? { filter: bodyFilter(linesList, search) }
    : { ids: [...selection.ids] };
  return { lines, count: isAll ? total : selection.ids.size, total, isExact, clear };
}
