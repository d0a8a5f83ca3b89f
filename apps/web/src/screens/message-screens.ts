import { messagesList } from '@linekeeper/contract/lists/lists.ts';
import * as z from 'zod';
import { addressOf } from './address.ts';
import type { Screen } from './screen.ts';

export const messageScreens = {
  messages: {
    path: '/messages',
    access: 'account',
    title: 'nav.messages',
    menuText: 'nav.messages',
    badge: 'messages',
    placeText: 'nav.messages',
    texts: ['messages'],
    search: addressOf(messagesList, {
      /** Id of the open message beside the list. */
      message: z.guid().optional().catch(undefined),
    }),
  },
  createMessage: {
    path: '/messages/create',
    access: 'admin',
    title: 'nav.createMessage',
    menuText: 'nav.createMessage',
    placeText: 'nav.createMessage',
    texts: ['messages'],
    parent: 'messages',
    search: z.object({
      /**
       * Id of the server whose accounts are to get the message; the text is filled in if the server does not respond.
       */
      server: z.guid().optional().catch(undefined),
    }),
  },
} as const satisfies Record<string, Screen>;
