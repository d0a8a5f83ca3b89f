import type { Body } from '@linekeeper/contract/endpoint.ts';
import {
  createLine,
  listLines,
  quoteLine,
  revealLine,
  syncLine,
} from '@linekeeper/contract/lines.ts';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';
import type { LinesSearch } from '../../shared/lines-search.ts';
import { listQuery } from './search.ts';

/** Every key here begins with 'lines': that is what a live change of a line makes stale. */
export function linesQuery(search: LinesSearch) {
  const query = listQuery(search);
  return queryOptions({
    queryKey: ['lines', 'list', query],
    queryFn: ({ signal }) => call(listLines, { query }, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** What a new line would cost the account that asks, and how long it would last. */
export function quoteQuery(duration: { is_trial: boolean; subscription_months?: number }) {
  return queryOptions({
    queryKey: ['lines', 'quote', duration],
    queryFn: ({ signal }) =>
      call(quoteLine, { body: { action: 'create', ...duration } }, { signal }),
  });
}

/** Lines and the balance have changed, whatever the reply was: a cut connection may hide a sale. */
function useRefreshAfterChange() {
  const queryClient = useQueryClient();
  return () => {
    void queryClient.invalidateQueries({ queryKey: ['lines'] });
    void queryClient.invalidateQueries({ queryKey: ['me'] });
  };
}

export function useCreateLine() {
  return useMutation({
    mutationFn: ({ body, key }: { body: Body<typeof createLine>; key: string }) =>
      call(createLine, { body }, { idempotencyKey: key }),
    onSettled: useRefreshAfterChange(),
  });
}

export function useSyncLine() {
  return useMutation({
    mutationFn: (id: string) => call(syncLine, { params: { id } }),
    onSettled: useRefreshAfterChange(),
  });
}

/** Not a query: each reveal is written to the audit log, and no cache may keep a password. */
export function useRevealLine() {
  return useMutation({
    mutationFn: (id: string) => call(revealLine, { params: { id } }),
    gcTime: 0,
  });
}
