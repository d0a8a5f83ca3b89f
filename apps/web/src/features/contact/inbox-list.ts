import { type ContactStatus, contactList, listContact } from '@linekeeper/contract/contact.ts';
import { defineList } from '../../shared/list/define-list.ts';
import { useCountedViews } from '../../shared/list/use-counted-views.ts';
import type { BadgeTone } from '../../shared/ui/badge.tsx';

export const statusTones: Record<ContactStatus, BadgeTone> = {
  open: 'warning',
  answered: 'success',
  closed: 'neutral',
  spam: 'error',
};

/** The inbox of the contact form. */
export const contactInbox = defineList(contactList, {
  path: '/support/contact',
  queryKey: ['contact', 'list'],
  endpoint: listContact,
  texts: 'contact',
  viewTones: { open: 'warning' },
  viewsIfAny: ['spam'],
  useViewCounts: useCountedViews,
});
