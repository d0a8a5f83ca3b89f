import { countLineChoices, countLines } from '@linekeeper/contract/lines/lines.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

/** Number of lines in each view, for the list's tabs and the dashboard. */
export function lineCountsQuery() {
  return queryOptions({
    queryKey: ['lines', 'counts'],
    meta: { isKept: true },
    queryFn: ({ signal }) => call(countLines, {}, { signal }),
  });
}

/** Number of lines for each value of a filter, for the filter panel. */
export function lineChoiceCountsQuery() {
  return queryOptions({
    queryKey: ['lines', 'choice-counts'],
    meta: { isKept: true },
    queryFn: ({ signal }) => call(countLineChoices, {}, { signal }),
  });
}
