import { getAccount, listAccounts } from '@linekeeper/contract/accounts.ts';
import type { Body } from '@linekeeper/contract/endpoint.ts';
import { deleteLine, editLine, renewLine } from '@linekeeper/contract/line-changes.ts';
import {
  createLine,
  getLine,
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

export type RenewalTerm = NonNullable<Body<typeof renewLine>>;

/** What more time would cost the account that asks, and how long the line would then last. */
export function renewalQuoteQuery(line_id: string, term: RenewalTerm, from: string) {
  return queryOptions({
    queryKey: ['lines', 'quote', line_id, term, from],
    queryFn: ({ signal }) =>
      call(quoteLine, { body: { action: 'renew', line_id, ...term } }, { signal }),
  });
}

export function lineQuery(id: string) {
  return queryOptions({
    queryKey: ['lines', 'one', id],
    queryFn: ({ signal }) => call(getLine, { params: { id } }, { signal }),
  });
}

/** How many lines a saved view holds; counted now and then, not after each change. */
export function viewCountQuery(search: LinesSearch) {
  const { cursor, limit, sort, ...filter } = listQuery(search);
  return queryOptions({
    queryKey: ['view-count', filter],
    queryFn: ({ signal }) => call(listLines, { query: { ...filter, limit: 1 } }, { signal }),
    staleTime: 60_000,
  });
}

const OWNERS_OFFERED = 20;

/** Accounts that may own a line, found by name or address. */
export function ownersQuery(q: string) {
  const query = { q, limit: OWNERS_OFFERED, sort: 'email' };
  return queryOptions({
    queryKey: ['accounts', 'owners', q],
    queryFn: async ({ signal }) => (await call(listAccounts, { query }, { signal })).items,
    placeholderData: keepPreviousData,
  });
}

export function ownerQuery(id: string) {
  return queryOptions({
    queryKey: ['accounts', 'one', id],
    queryFn: ({ signal }) => call(getAccount, { params: { id } }, { signal }),
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

export function useRenewLine(id: string) {
  return useMutation({
    mutationFn: ({ body, key }: { body: RenewalTerm; key: string }) =>
      call(renewLine, { params: { id }, body }, { idempotencyKey: key }),
    onSettled: useRefreshAfterChange(),
  });
}

export function useEditLine(id: string) {
  return useMutation({
    mutationFn: ({ body, key }: { body: Body<typeof editLine>; key: string }) =>
      call(editLine, { params: { id }, body }, { idempotencyKey: key }),
    onSettled: useRefreshAfterChange(),
  });
}

export function useDeleteLine(id: string) {
  const refresh = useRefreshAfterChange();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (key: string) => call(deleteLine, { params: { id } }, { idempotencyKey: key }),
    onSettled: (reply) => {
      // Whoever looks at a line that is gone should not be told so by an error of the next fetch.
      if (reply) queryClient.removeQueries(lineQuery(id));
      refresh();
    },
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
