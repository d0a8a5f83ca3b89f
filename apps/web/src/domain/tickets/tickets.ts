import { countTickets } from '@linekeeper/contract/tickets/tickets.ts';
import { callQuery } from '#platform/api/call-query.ts';

/** The query of the numbers of all tickets and of unread ones, for the list and the navigation. */
export const ticketCountsQuery = () => callQuery('tickets', countTickets);
