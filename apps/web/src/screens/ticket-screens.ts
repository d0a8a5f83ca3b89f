import { ticketsList } from '@linekeeper/contract/lists/lists.ts';
import * as z from 'zod';
import { addressOf } from './address.ts';
import type { Screen } from './screen.ts';

export const ticketScreens = {
  tickets: {
    path: '/tickets',
    index: ['/support', '/support/tickets'],
    access: 'account',
    title: 'nav.tickets',
    menuText: 'nav.tickets',
    badge: 'tickets',
    placeText: 'nav.tickets',
    texts: ['tickets'],
    search: addressOf(ticketsList),
  },
  newTicket: {
    path: '/tickets/new',
    access: 'account',
    title: 'nav.newTicket',
    placeText: 'nav.newTicket',
    texts: ['tickets', 'articles'],
    parent: 'tickets',
    /** The search text without a result. The contract's own limit would enlarge the first load. */
    search: z.object({
      title: z.coerce.string().max(200).optional().catch(undefined),
      /** Id of the line that the ticket is about. */
      about: z.string().max(40).optional().catch(undefined),
    }),
  },
  ticket: {
    path: '/tickets/$id',
    access: 'account',
    title: 'field.ticket',
    texts: ['tickets'],
    parent: 'tickets',
  },
} as const satisfies Record<string, Screen>;
