import { transferKinds, transfersList } from '@linekeeper/contract/lists/lists.ts';
import { type ListedTransfer, listTransfers } from '@linekeeper/contract/transfers.ts';
import { useTranslation } from 'react-i18next';
import { fetchPages } from '../../shared/list/fetch-pages.ts';
import { dayFilterLook } from '../../shared/list/filters/day-filter-look.tsx';
import { useAccountFilter } from '../../shared/list/filters/use-account-filter.tsx';
import { type FilterLook, type ListDefinition, offering } from '../../shared/list/use-list.ts';
import { useListTexts } from '../../shared/list/use-list-texts.ts';

/** Those who may look accounts up. */
const managers = ['add_credits', 'manage_resellers'] as const;

function useFilters(): Record<keyof typeof transfersList.filters, FilterLook> {
  const { t } = useTranslation('credits');
  const { t: activity } = useTranslation('activity');
  const kinds = transferKinds.map((value) => ({ value, label: activity(`transfers.${value}`) }));
  return {
    kind: { ...offering(t('filter.names.kind'), kinds), isLong: true },
    account: useAccountFilter('account', t('filter.names.account'), managers),
    from: dayFilterLook(t('filter.names.from')),
    to: dayFilterLook(t('filter.names.to')),
  };
}

/** The list of movements of credits, as the parts of every list are told it. */
export const transfers: ListDefinition<ListedTransfer> = {
  declaration: transfersList,
  path: '/credits',
  queryKey: ['transfers', 'list'],
  fetchPage: fetchPages(transfersList, listTransfers),
  useTexts: () => useListTexts<typeof transfersList>('credits'),
  useFilters,
};
