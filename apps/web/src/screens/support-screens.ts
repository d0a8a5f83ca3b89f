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
    isHiddenFromAdmins: true,
    title: 'nav.contactUs',
    menuText: 'nav.contactUs',
    placeText: 'nav.contactUs',
    texts: ['contact'],
    highlights: ['contactInbox'],
  },
  contactInbox: {
    path: '/support/contact',
    access: 'admin',
    title: 'nav.contactInbox',
    menuText: 'nav.contactInbox',
    placeText: 'nav.contactInbox',
    texts: ['contact'],
    search: addressOf(contactList),
  },
  setup: {
    path: '/tickets/setup',
    access: 'admin',
    title: 'nav.setup',
    placeText: 'nav.setup',
    texts: ['system', 'tickets'],
    parent: 'tickets',
  },
  connectionTest: {
    path: '/supabase-test',
    access: 'admin',
    title: 'nav.connectionTest',
    placeText: 'nav.connectionTest',
    texts: ['system'],
    parent: 'setup',
  },
  audit: {
    path: '/audit',
    access: 'admin',
    title: 'nav.audit',
    menuText: 'nav.audit',
    placeText: 'nav.audit',
    texts: ['audit', 'activity', 'articles', 'messages', 'tickets'],
    search: addressOf(auditList),
  },
} as const satisfies Record<string, Screen>;
