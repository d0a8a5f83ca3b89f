import { listMessages, messagesList } from '@linekeeper/contract/messages.ts';
import { useTranslation } from 'react-i18next';
import { defineList } from '../../shared/list/define-list.ts';
import { useCountedViews } from '../../shared/list/use-counted-views.ts';
import { offering } from '../../shared/list/use-list.ts';

function useFilters() {
  const { t } = useTranslation('messages');
  return {
    unread: offering(t('filter.names.unread'), [
      { value: 'true', label: t('state.unread') },
      { value: 'false', label: t('state.read') },
    ]),
  };
}

/** The list of messages. */
export const messages = defineList(messagesList, {
  path: '/messages',
  queryKey: ['messages', 'list'],
  isKept: true,
  endpoint: listMessages,
  texts: 'messages',
  useFilters,
  viewTones: { unread: 'error' },
  // Nobody but administrators has any of these.
  viewsIfAny: ['scheduled', 'expired'],
  useViewCounts: useCountedViews,
});
