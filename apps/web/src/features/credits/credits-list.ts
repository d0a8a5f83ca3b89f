import { listTransfers } from '@linekeeper/contract/credits/transfers.ts';
import { transfersList } from '@linekeeper/contract/lists/lists.ts';
import { useTranslation } from 'react-i18next';
import { useTransferFilters } from '../../shared/credits/use-transfer-filters.ts';
import { defineList } from '../../shared/list/define-list.ts';
import { useAccountFilter } from '../../shared/list/filters/use-account-filter.tsx';

/** Permissions that let an account look up others. */
const managers = ['add_credits', 'manage_resellers'] as const;

function useFilters() {
  const { t } = useTranslation('credits');
  const account = useAccountFilter('account', t('filter.names.account'), managers);
  return { account, ...useTransferFilters() };
}

/** The list of movements of credits. */
export const transfers = defineList(transfersList, {
  path: '/credits',
  queryKey: ['transfers', 'list'],
  isKept: true,
  endpoint: listTransfers,
  texts: 'credits',
  useFilters,
});
