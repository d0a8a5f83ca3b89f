import { listPushes, type Push, pushesList, pushStates } from '@linekeeper/contract/sync.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { isolate } from '../../shared/i18n/isolate.ts';
import { fetchPages } from '../../shared/list/fetch-pages.ts';
import { type FilterLook, type ListDefinition, offering } from '../../shared/list/use-list.ts';
import { useListTexts } from '../../shared/list/use-list-texts.ts';
import { serverChoicesQuery } from '../../shared/server-choices.ts';

function useTexts() {
  const { t } = useTranslation('sync');
  return { ...useListTexts<typeof pushesList>('sync'), selectPage: t('selectPage') };
}

function useFilters(): Record<keyof typeof pushesList.filters, FilterLook> {
  const { t } = useTranslation('sync');
  const { data: servers = [] } = useQuery(serverChoicesQuery());
  const names = servers.map(({ id, server_name }) => ({ value: id, label: isolate(server_name) }));
  return {
    state: offering(
      t('columns.states'),
      pushStates.map((value) => ({ value, label: t(`state.${value}`) })),
    ),
    server: { ...offering(t('columns.server'), names), isLong: true },
  };
}

/** The list of what waits, as the parts of every list are told it. */
export const pushes: ListDefinition<Push> = {
  declaration: pushesList,
  path: '/cccam-servers/sync',
  queryKey: ['sync', 'list'],
  fetchPage: fetchPages(pushesList, listPushes),
  // Completed pushes send no live change, so the screen polls.
  refetchMs: 2000,
  useTexts,
  useFilters,
};
