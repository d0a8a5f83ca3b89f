import { listAccounts } from '@linekeeper/contract/accounts/accounts.ts';
import { ADMIN_GROUP } from '@linekeeper/contract/permissions.ts';
import { listCannedReplies } from '@linekeeper/contract/tickets/canned-replies.ts';
import { getTicket, listTicketReplies } from '@linekeeper/contract/tickets/tickets.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';

const LINES_AT_ONCE = 50;

export function ticketQuery(id: string) {
  return queryOptions({
    queryKey: ['tickets', 'one', id],
    meta: { isKept: true },
    queryFn: async ({ signal }) => (await call(getTicket, { params: { id } }, { signal })).ticket,
  });
}

/** Newest first, as they are fetched; the page shows them the other way round. */
export function conversationQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['tickets', 'replies', id],
    meta: { isKept: true },
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
