import { listAccounts } from '@linekeeper/contract/accounts/accounts.ts';
import { accountsList } from '@linekeeper/contract/lists/lists.ts';
import { useTranslation } from 'react-i18next';
import { useGroupOptions } from '#domain/accounts/groups.ts';
import { useAccountFilter } from '#domain/accounts/use-account-filter.tsx';
import { defineList } from '#kit/list/define-list.ts';
import { offering } from '#kit/list/use-list.ts';
import { useAccountsPlace } from './use-accounts-place.ts';

function useFilters() {
  const { t } = useTranslation('accounts');
  const deletedGroup = t('list.filter.deletedGroup');
  return {
    group: { ...offering(t('field.group'), useGroupOptions(), deletedGroup), isLong: true },
    owner: useAccountFilter('owner', t('field.owner')),
    no_credits: offering(t('field.balance'), [
      { value: 'true', label: t('views.no_credits') },
      { value: 'false', label: t('filter.someCredits') },
    ]),
  };
}

export const allAccounts = defineList(accountsList, {
  path: '/resellers',
  queryKey: ['accounts', 'list'],
  endpoint: listAccounts,
  texts: 'accounts',
  useMoreTexts: () => ({ title: useAccountsPlace().label }),
  useFilters,
  viewTones: { suspended: 'error', no_credits: 'warning' },
  countsViews: true,
});

/** The list of accounts for a reader who is not an administrator. */
export const myAccounts: typeof allAccounts = { ...allAccounts, path: '/accounts' };
