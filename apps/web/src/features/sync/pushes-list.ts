import { listPushes, pushesList, pushStates } from '@linekeeper/contract/servers/sync.ts';
import { useTranslation } from 'react-i18next';
import { defineList } from '../../shared/list/define-list.ts';
import { useServerFilter } from '../../shared/list/filters/use-server-filter.ts';
import { offering } from '../../shared/list/use-list.ts';

function useFilters() {
  const { t } = useTranslation('sync');
  const states = pushStates.map((value) => ({ value, label: t(`state.${value}`) }));
  return {
    state: offering(t('filter.names.state'), states),
    server: useServerFilter(t('columns.server')),
  };
}

/** The list of changes that wait for a card server. */
export const pushes = defineList(pushesList, {
  path: '/cccam-servers/sync',
  queryKey: ['sync', 'list'],
  isKept: true,
  endpoint: listPushes,
  texts: 'sync',
  useMoreTexts: () => ({ selectPage: useTranslation('sync').t('selectPage') }),
  useFilters,
  // Completed pushes send no live change, so the screen polls.
  refetchMs: 2000,
});
