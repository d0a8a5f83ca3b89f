import { type ListedTransfer, listTransfers } from '@linekeeper/contract/credits/transfers.ts';
import { transfersList } from '@linekeeper/contract/lists/lists.ts';
import { useTranslation } from 'react-i18next';
import { useTransferFilters } from '../../shared/credits/use-transfer-filters.ts';
import { fetchPages } from '../../shared/list/fetch-pages.ts';
import { useAccountFilter } from '../../shared/list/filters/use-account-filter.tsx';
import type { FilterLook, ListDefinition } from '../../shared/list/use-list.ts';
import { useListTexts } from '../../shared/list/use-list-texts.ts';

/** Permissions that let an account look up others. */
const managers = ['add_credits', 'manage_resellers'] as const;

function useFilters(): Record<keyof typeof transfersList.filters, FilterLook> {
  const { t } = useTranslation('credits');
  const { kind, ...days } = useTransferFilters();
  const account = useAccountFilter('account', t('filter.names.account'), managers);
  return { kind, account, ...days };
}

/** The list of movements of credits, as the parts of every list are told it. */
export const transfers: ListDefinition<ListedTransfer> = {
  declaration: transfersList,
  path: '/credits',
  queryKey: ['transfers', 'list'],
  isKept: true,
  fetchPage: fetchPages(transfersList, listTransfers),
  useTexts: () => useListTexts<typeof transfersList>('credits'),
  useFilters,
};
