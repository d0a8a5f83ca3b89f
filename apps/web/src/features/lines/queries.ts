import type { Body } from '@linekeeper/contract/endpoint.ts';
import { proposeLineName, type renewLine } from '@linekeeper/contract/lines/line-changes.ts';
import { getLine, quoteLine } from '@linekeeper/contract/lines/lines.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';

/** All query keys about lines begin with 'lines', which is what a live change of a line invalidates. */

/** The price and expiry date of a new line for the signed-in account. */
export function quoteQuery(duration: { is_trial: boolean; subscription_months?: number }) {
  return queryOptions({
    queryKey: ['lines', 'quote', duration],
    queryFn: ({ signal }) =>
      call(quoteLine, { body: { action: 'create', ...duration } }, { signal }),
  });
}

export type RenewalDuration = NonNullable<Body<typeof renewLine>>;

/** The price and new expiry date of a renewal for the signed-in account. */
export function renewalQuoteQuery(line_id: string, duration: RenewalDuration, from: string) {
  return queryOptions({
    queryKey: ['lines', 'quote', line_id, duration, from],
    queryFn: ({ signal }) =>
      call(quoteLine, { body: { action: 'renew', line_id, ...duration } }, { signal }),
  });
}

export function lineQuery(id: string) {
  return queryOptions({
    queryKey: ['lines', 'one', id],
    meta: { isKept: true },
    queryFn: ({ signal }) => call(getLine, { params: { id } }, { signal }),
  });
}

/** A free name that is short enough for CCcam. Not cached: another line may get it meanwhile. */
export function shorterNameQuery(id: string) {
  return queryOptions({
    queryKey: ['line-name', 'shorter', id],
    queryFn: ({ signal }) => call(proposeLineName, { params: { id } }, { signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
