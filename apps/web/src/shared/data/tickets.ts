import { countTickets } from '@linekeeper/contract/tickets/tickets.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

/** How many tickets there are and how many unread, for the list and the navigation. */
export function ticketCountsQuery() {
  return queryOptions({
    queryKey: ['tickets', 'counts'],
    meta: { isKept: true },
    queryFn: ({ signal }) => call(countTickets, {}, { signal }),
  });
}
