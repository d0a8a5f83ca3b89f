import {
  listMessages,
  type Message,
  messageStates,
  messagesList,
} from '@linekeeper/contract/messages.ts';
import { useTranslation } from 'react-i18next';
import { fetchPages } from '../../shared/list/fetch-pages.ts';
import { useCountedViews } from '../../shared/list/use-counted-views.ts';
import { type FilterLook, type ListDefinition, offering } from '../../shared/list/use-list.ts';
import { useListTexts } from '../../shared/list/use-list-texts.ts';

function useFilters(): Record<keyof typeof messagesList.filters, FilterLook> {
  const { t } = useTranslation('messages');
  const states = messageStates.map((value) => ({ value, label: t(`state.${value}`) }));
  const reading = [
    { value: 'true', label: t('state.unread') },
    { value: 'false', label: t('state.read') },
  ];
  return {
    unread: offering(t('filter.names.unread'), reading),
    state: offering(t('filter.names.state'), states),
  };
}

/** The list of messages, as the parts of every list are told it. */
export const messages: ListDefinition<Message> = {
  declaration: messagesList,
  path: '/messages',
  queryKey: ['messages', 'list'],
  isKept: true,
  fetchPage: fetchPages(messagesList, listMessages),
  useTexts: () => useListTexts<typeof messagesList>('messages'),
  useFilters,
  viewTones: { unread: 'error' },
  // Nobody but administrators has any of these.
  viewsIfAny: ['scheduled', 'expired'],
  useViewCounts: useCountedViews,
};
