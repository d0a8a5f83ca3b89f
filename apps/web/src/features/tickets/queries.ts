import { listAccounts } from '@linekeeper/contract/accounts/accounts.ts';
import type { Body } from '@linekeeper/contract/endpoint.ts';
import { ADMIN_GROUP } from '@linekeeper/contract/permissions.ts';
import { listCannedReplies } from '@linekeeper/contract/tickets/canned-replies.ts';
import {
  createTicket,
  createTicketReply,
  deleteTicket,
  editTicket,
  getTicket,
  listTicketReplies,
  readTicket,
} from '@linekeeper/contract/tickets/tickets.ts';
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';
import type { WithIdempotencyKey } from '../../shared/forms/use-send.ts';

const LINES_AT_ONCE = 50;

export function ticketQuery(id: string) {
  return queryOptions({
    queryKey: ['tickets', 'one', id],
    queryFn: async ({ signal }) => (await call(getTicket, { params: { id } }, { signal })).ticket,
  });
}

/** Newest first, as they are fetched; the page shows them the other way round. */
export function conversationQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['tickets', 'replies', id],
    queryFn: ({ pageParam, signal }) =>
      call(
        listTicketReplies,
        {
          params: { id },
          query: {
            sort: '-created_at',
            limit: LINES_AT_ONCE,
            ...(pageParam ? { cursor: pageParam } : {}),
          },
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
}

/** Whom a ticket can be assigned to. */
export function administratorsQuery() {
  return queryOptions({
    queryKey: ['accounts', 'administrators'],
    queryFn: async ({ signal }) => {
      const query = { group_id: ADMIN_GROUP, status: 'active', limit: 100, sort: 'email' };
      return (await call(listAccounts, { query }, { signal })).items;
    },
  });
}

export function cannedRepliesQuery() {
  return queryOptions({
    queryKey: ['canned-replies'],
    queryFn: async ({ signal }) => (await call(listCannedReplies, {}, { signal })).items,
  });
}

function useRefresh() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['tickets'] });
}

export function useCreateTicket() {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof createTicket>>) =>
      call(createTicket, { body }, { idempotencyKey }),
    onSettled: useRefresh(),
  });
}

export function useEditTicket(id: string) {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof editTicket>>) =>
      call(editTicket, { params: { id }, body }, { idempotencyKey }),
    onSettled: useRefresh(),
  });
}

export function useDeleteTicket(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ idempotencyKey }: WithIdempotencyKey<object>) =>
      call(deleteTicket, { params: { id } }, { idempotencyKey }),
    onSuccess: () => {
      queryClient.removeQueries({ queryKey: ['tickets', 'one', id] });
      queryClient.removeQueries({ queryKey: ['tickets', 'replies', id] });
    },
    onSettled: useRefresh(),
  });
}

export function useReply(id: string) {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof createTicketReply>>) =>
      call(createTicketReply, { params: { id }, body }, { idempotencyKey }),
    onSettled: useRefresh(),
  });
}

export function useReadTicket(id: string) {
  return useMutation({
    mutationFn: () => call(readTicket, { params: { id } }),
    onSettled: useRefresh(),
  });
}
