import {
  listPushes,
  type Push,
  pushesList,
  pushOperations,
  pushStates,
} from '@linekeeper/contract/servers/sync.ts';
import { useTranslation } from 'react-i18next';
import { fetchPages } from '../../shared/list/fetch-pages.ts';
import { useServerFilter } from '../../shared/list/filters/use-server-filter.ts';
import { type FilterLook, type ListDefinition, offering } from '../../shared/list/use-list.ts';
import { useListTexts } from '../../shared/list/use-list-texts.ts';

function useTexts() {
  const { t } = useTranslation('sync');
  return { ...useListTexts<typeof pushesList>('sync'), selectPage: t('selectPage') };
}

function useFilters(): Record<keyof typeof pushesList.filters, FilterLook> {
  const { t } = useTranslation('sync');
  return {
    state: offering(
      t('columns.states'),
      pushStates.map((value) => ({ value, label: t(`state.${value}`) })),
    ),
    operation: offering(
      t('columns.change'),
      pushOperations.map((value) => ({ value, label: t(`operation.${value}`) })),
    ),
    server: useServerFilter(t('columns.server')),
  };
}

/** The list of what waits, as the parts of every list are told it. */
export const pushes: ListDefinition<Push> = {
  declaration: pushesList,
  path: '/cccam-servers/sync',
  queryKey: ['sync', 'list'],
  isKept: true,
  fetchPage: fetchPages(pushesList, listPushes),
  // Completed pushes send no live change, so the screen polls.
  refetchMs: 2000,
  useTexts,
  useFilters,
};
