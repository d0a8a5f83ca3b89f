import { auditList, contactList } from '@linekeeper/contract/lists/lists.ts';
import { addressOf } from './address.ts';
import type { Screen } from './screen.ts';

export const supportScreens = {
  contact: {
    path: '/contact',
    access: 'public',
    isTransient: true,
    title: 'nav.contactUs',
    texts: ['contact', 'frame'],
  },
  contactUs: {
    path: '/support/contact-us',
    access: 'account',
    title: 'nav.contactUs',
    menuText: 'nav.contactUs',
    placeText: 'pages.contactUs',
    texts: ['contact'],
  },
  contactInbox: {
    path: '/support/contact',
    access: 'admin',
    title: 'nav.contactInbox',
    menuText: 'nav.contactInbox',
    placeText: 'pages.contactInbox',
    texts: ['contact'],
    search: addressOf(contactList),
  },
  setup: {
    path: '/tickets/setup',
    access: 'admin',
    title: 'nav.setup',
    placeText: 'pages.setup',
    texts: ['system', 'tickets'],
    parent: 'tickets',
  },
  connectionTest: {
    path: '/supabase-test',
    access: 'admin',
    title: 'nav.connectionTest',
    placeText: 'pages.connectionTest',
    texts: ['system'],
    parent: 'setup',
  },
  audit: {
    path: '/audit',
    access: 'admin',
    title: 'nav.audit',
    menuText: 'nav.audit',
    placeText: 'pages.audit',
    texts: ['audit', 'activity', 'articles', 'messages', 'tickets'],
    search: addressOf(auditList),
  },
} as const satisfies Record<string, Screen>;
