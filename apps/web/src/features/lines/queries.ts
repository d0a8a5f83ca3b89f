import type { Body } from '@linekeeper/contract/endpoint.ts';
import {
  deleteLine,
  editLine,
  proposeLineName,
  renewLine,
  resumeLine,
  suspendLine,
} from '@linekeeper/contract/lines/line-changes.ts';
import { createLine, getLine, quoteLine } from '@linekeeper/contract/lines/lines.ts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';
import type { WithIdempotencyKey } from '../../shared/forms/use-send.ts';
import { useRefreshLines } from '../../shared/lines/queries.ts';

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

export function useCreateLine() {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof createLine>>) =>
      call(createLine, { body }, { idempotencyKey }),
    onSettled: useRefreshLines(),
  });
}

export function useRenewLine(id: string) {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<RenewalDuration>) =>
      call(renewLine, { params: { id }, body }, { idempotencyKey }),
    onSettled: useRefreshLines(),
  });
}

export function useEditLine(id: string) {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof editLine>>) =>
      call(editLine, { params: { id }, body }, { idempotencyKey }),
    onSettled: useRefreshLines(),
  });
}

export function useSuspendLine(id: string) {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof suspendLine>>) =>
      call(suspendLine, { params: { id }, body }, { idempotencyKey }),
    onSettled: useRefreshLines(),
  });
}

export function useResumeLine(id: string) {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof resumeLine>>) =>
      call(resumeLine, { params: { id }, body }, { idempotencyKey }),
    onSettled: useRefreshLines(),
  });
}

export function useDeleteLine(id: string) {
  const refresh = useRefreshLines();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ idempotencyKey }: WithIdempotencyKey<null>) =>
      call(deleteLine, { params: { id } }, { idempotencyKey }),
    onSettled: (reply) => {
      // Removed, because refetching a deleted line would show an error to a user still viewing it.
      if (reply) queryClient.removeQueries(lineQuery(id));
      // What was done with it before cannot be undone any more.
      void queryClient.invalidateQueries({ queryKey: ['jobs'] });
      refresh();
    },
  });
}
