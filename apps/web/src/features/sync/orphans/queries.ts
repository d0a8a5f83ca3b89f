import type { Body } from '@linekeeper/contract/endpoint.ts';
import {
  adoptOrphans,
  lookForOrphans,
  removeOrphans,
} from '@linekeeper/contract/servers/orphans.ts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../shared/api/client.ts';
import type { WithIdempotencyKey } from '../../../shared/forms/use-send.ts';

const LOOK_EVERY_MS = 10_000;

/** Has the card servers asked for their usernames again and again while the page is open. */
export function looksQuery() {
  return queryOptions({
    queryKey: ['orphan-looks'],
    queryFn: async ({ signal, client }) => {
      const { items } = await call(lookForOrphans, {}, { signal });
      void client.invalidateQueries({ queryKey: ['sync', 'orphans'] });
      return items;
    },
    staleTime: 0,
    refetchInterval: LOOK_EVERY_MS,
    retry: false,
  });
}

/** What is removed is pending then, and what is adopted a line. */
function useRefresh() {
  const queryClient = useQueryClient();
  return () => {
    void queryClient.invalidateQueries({ queryKey: ['sync'] });
    void queryClient.invalidateQueries({ queryKey: ['lines'] });
  };
}

export function useAdopt() {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof adoptOrphans>>) =>
      call(adoptOrphans, { body }, { idempotencyKey }),
    onSettled: useRefresh(),
    // The request may contain a password.
    gcTime: 0,
  });
}

export function useRemove() {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof removeOrphans>>) =>
      call(removeOrphans, { body }, { idempotencyKey }),
    onSettled: useRefresh(),
  });
}
