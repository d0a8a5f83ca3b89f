import { useQuery } from '@tanstack/react-query';
import type { BulkBody } from '../../../shared/jobs/queries.ts';
import type { LinesSearch } from '../../../shared/lines-search.ts';
import { linesQuery } from '../queries.ts';
import { daysOf, listQuery } from '../search.ts';
import { useLinesSearch } from '../use-lines-search.ts';
import { useSelection } from '../use-selection.tsx';

/** What names the lines of a job: themselves, or what finds them. */
export type BulkLines = Pick<Exclude<BulkBody, { action: 'import' }>, 'ids' | 'filter'>;

/** The filters of the address, in the terms of a job. */
export function filterOf(search: LinesSearch): BulkLines['filter'] {
  const { q, status, server_id, owner_id, sync_state } = listQuery(search);
  const expires_within = search.expires ? daysOf(search.expires) : undefined;
  return { q, status, server_id, owner_id, expires_within, sync_state, is_trial: search.trial };
}

/** How many lines the filters find; only the first page counts them. */
function useTotal() {
  const { search } = useLinesSearch();
  const { data, isPlaceholderData } = useQuery(linesQuery({ ...search, cursor: undefined }));
  if (!data || isPlaceholderData) return { total: null, isExact: false };
  return { total: data.total, isExact: data.total_is_exact === true };
}

/** What is selected, as a job is told it, and how many lines that is as far as is known. */
export function useBulkSelection() {
  const { search } = useLinesSearch();
  const { selection, selectAllMatching, clear } = useSelection();
  const { total, isExact } = useTotal();
  const isAll = selection.allOf !== null;
  const lines: BulkLines = isAll ? { filter: filterOf(search) } : { ids: [...selection.ids] };
  return {
    lines,
    isAll,
    count: isAll ? total : selection.ids.size,
    total,
    isExact,
    selectAllMatching,
    clear,
  };
}
