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
import { infiniteQueryOptions } from '@tanstack/react-query';
import { useCommand } from '#kit/commands/use-command.ts';
import { callQuery } from '#platform/api/call-query.ts';
import { call } from '#platform/api/client.ts';
import { results } from '#platform/state/results.ts';

const LINES_AT_ONCE = 50;

export const ticketQuery = (id: string) =>
  callQuery('tickets', getTicket, { params: { id }, select: ({ ticket }) => ticket });

/**
 * The query of a ticket's replies and changes, newest first, as they are fetched. The page shows them in the opposite
 * order.
 */
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

/** The query of the administrators to whom a ticket can be assigned. */
export const administratorsQuery = () =>
  callQuery('accounts', listAccounts, {
    query: { group_id: ADMIN_GROUP, status: 'active', limit: 100, sort: 'email' },
    select: ({ items }) => items,
  });

export const cannedRepliesQuery = () =>
  callQuery('canned-replies', listCannedReplies, { select: ({ items }) => items });

type Changes = Body<typeof editTicket>;

/** The command that changes a ticket. `done` shows the result if the page itself does not. */
export function useChange({ id }: Pick<Ticket, 'id'>) {
  const { send, isPending } = useCommand(editTicket, {
    params: { id },
    refreshes: ['tickets'],
    waits: true,
  });
  const change = (changes: Changes, done?: string) =>
    void send(changes, { done: () => done && results.success(done) });
  return { change, isPending };
}
