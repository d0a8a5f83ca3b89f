import type { Body } from '@linekeeper/contract/endpoint.ts';
import { proposeLineName, type renewLine } from '@linekeeper/contract/lines/line-changes.ts';
import { type Line, lineState, quoteLine } from '@linekeeper/contract/lines/lines.ts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { callQuery } from '../../shared/api/call-query.ts';
import { call } from '../../shared/api/client.ts';

/** All query keys about lines begin with 'lines', which is what a live change of a line invalidates. */

/** The price and expiry date of a new line for the signed-in account. */
export const quoteQuery = (duration: { is_trial: boolean; subscription_months?: number }) =>
  callQuery('lines', quoteLine, { body: { action: 'create', ...duration } });

export type RenewalDuration = NonNullable<Body<typeof renewLine>>;

/** The price and new expiry date of a renewal for the signed-in account. */
export function renewalQuoteQuery(line_id: string, duration: RenewalDuration, from: string) {
  return queryOptions({
    queryKey: ['lines', 'quote', line_id, duration, from],
    queryFn: ({ signal }) =>
      call(quoteLine, { body: { action: 'renew', line_id, ...duration } }, { signal }),
  });
}

/** When a line was delivered, and who renewed it a moment ago. */
export const lineStateQuery = (id: string) => callQuery('lines', lineState, { params: { id } });

/** The line as a list shows it, which is there at once. */
export function listedLine(queryClient: QueryClient, id: string): Line | undefined {
  const pages = queryClient.getQueriesData<{ items?: Line[] }>({ queryKey: ['lines', 'list'] });
  for (const [, page] of pages) {
    const line = page?.items?.find((one) => one.id === id);
    if (line) return line;
  }
  return undefined;
}

/** A free name that is short enough for CCcam. Not cached: another line may get it meanwhile. */
export const shorterNameQuery = (id: string) =>
  callQuery('line-name', proposeLineName, {
    params: { id },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
