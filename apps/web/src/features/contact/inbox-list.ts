import {
  type ContactMessage,
  type ContactStatus,
  contactList,
  contactStatuses,
  listContact,
} from '@linekeeper/contract/contact.ts';
import { useTranslation } from 'react-i18next';
import { fetchPages } from '../../shared/list/fetch-pages.ts';
import { useCountedViews } from '../../shared/list/use-counted-views.ts';
import { type FilterLook, type ListDefinition, offering } from '../../shared/list/use-list.ts';
import { useListTexts } from '../../shared/list/use-list-texts.ts';
import type { BadgeTone } from '../../shared/ui/badge.tsx';

export const statusTones: Record<ContactStatus, BadgeTone> = {
  open: 'warning',
  answered: 'success',
  closed: 'neutral',
  spam: 'error',
};

function useFilters(): Record<keyof typeof contactList.filters, FilterLook> {
  const { t } = useTranslation('contact');
  const statuses = contactStatuses.map((value) => ({ value, label: t(`status.${value}`) }));
  return { status: offering(t('field.status'), statuses) };
}

/** The inbox of the contact form. */
export const contactInbox: ListDefinition<ContactMessage> = {
  declaration: contactList,
  path: '/support/contact',
  queryKey: ['contact', 'list'],
  fetchPage: fetchPages(contactList, listContact),
  useTexts: () => useListTexts<typeof contactList>('contact'),
  useFilters,
  viewTones: { open: 'warning' },
  viewsIfAny: ['spam'],
  useViewCounts: useCountedViews,
};
