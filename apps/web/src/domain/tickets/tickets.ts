import { countTickets } from '@linekeeper/contract/tickets/tickets.ts';
import { callQuery } from '#platform/api/call-query.ts';

/** How many tickets there are and how many unread, for the list and the navigation. */
export const ticketCountsQuery = () => callQuery('tickets', countTickets);
