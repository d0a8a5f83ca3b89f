import { MOST_COUNTED } from '@linekeeper/contract/endpoint.ts';
import { countLines } from '@linekeeper/contract/lines.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from './api/client.ts';
import { showNumber } from './show-number.ts';

/** How many lines each view of the list holds: for the list's tabs and the dashboard's tiles. */
export function lineCountsQuery() {
  return queryOptions({
    queryKey: ['lines', 'counts'],
    queryFn: ({ signal }) => call(countLines, {}, { signal }),
  });
}

/** Counting ends at some point: from there on it is so many or more. */
export function showCount(count: number, language: string): string {
  return showNumber(count, language) + (count < MOST_COUNTED ? '' : '+');
}
