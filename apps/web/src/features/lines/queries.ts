import { proposeLineName } from '@linekeeper/contract/lines/line-changes.ts';
import { type Line, quoteLine } from '@linekeeper/contract/lines/lines.ts';
import type { QueryClient } from '@tanstack/react-query';
import { callQuery } from '#platform/api/call-query.ts';

/** All query keys about lines begin with 'lines', by which a live change of a line makes them stale. */

/** The price and expiry date of a new line for the signed-in account. */
export const quoteQuery = (sale: {
  is_trial: boolean;
  subscription_months?: number;
  plan_id?: string | undefined;
}) => callQuery('lines', quoteLine, { body: { action: 'create', ...sale } });

const listedPages = (queryClient: QueryClient, type: 'active' | 'all') =>
  queryClient
    .getQueriesData<{ items: Line[] }>({ queryKey: ['lines', 'list'], type })
    .map(([, page]) => page?.items ?? []);

/** The rows of the list on the screen that contains a line, or of the first list if no list contains it. */
export function rowsAround(queryClient: QueryClient, id: string): readonly Line[] {
  const pages = listedPages(queryClient, 'active');
  return pages.find((rows) => rows.some((row) => row.id === id)) ?? pages[0] ?? [];
}

/** The line from the cached reply of a list, without another request; undefined if no list contains it. */
export function listedLine(queryClient: QueryClient, id: string): Line | undefined {
  return listedPages(queryClient, 'all')
    .flat()
    .find((line) => line.id === id);
}

/**
 * The query of a free username that is short enough for CCcam. It is not cached, because another
 * line may get the name in the meantime.
 */
export const shorterNameQuery = (id: string) =>
  callQuery('line-name', proposeLineName, {
    params: { id },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
