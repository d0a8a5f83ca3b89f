import { countLines } from '@linekeeper/contract/lines.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from './api/client.ts';

/** How many lines each view of the list holds: for the list's tabs and the dashboard's tiles. */
export function lineCountsQuery() {
  return queryOptions({
    queryKey: ['lines', 'counts'],
    queryFn: ({ signal }) => call(countLines, {}, { signal }),
  });
}
