import { listAccounts } from '@linekeeper/contract/accounts/accounts.ts';
import type { Body } from '@linekeeper/contract/endpoint.ts';
import { ADMIN_GROUP } from '@linekeeper/contract/permissions.ts';
import { listCannedReplies } from '@linekeeper/contract/tickets/canned-replies.ts';
import {
  editTicket,
  getTicket,
  listTicketReplies,
  type Ticket,
} from '@linekeeper/contract/tickets/tickets.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';
import { useCommand } from '../../shared/commands/use-command.ts';
import { toast } from '../../shared/state/toast.ts';

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

type Changes = Body<typeof editTicket>;

/** Changes a ticket at once; `done` says so where the page itself does not show it. */
export function useChange({ id }: Pick<Ticket, 'id'>) {
  const { send, isPending } = useCommand(editTicket, {
    params: { id },
    refreshes: ['tickets'],
    waits: true,
  });
  const change = (changes: Changes, done?: string) =>
    void send(changes, { done: () => done && toast.success(done) });
  return { change, isPending };
}
