import {
  type Account,
  accountStatuses,
  accountsList,
  listAccounts,
} from '@linekeeper/contract/accounts/accounts.ts';
import { useTranslation } from 'react-i18next';
import { useGroupOptions } from '../../shared/data/groups.ts';
import { fetchPages } from '../../shared/list/fetch-pages.ts';
import { useAccountFilter } from '../../shared/list/filters/use-account-filter.tsx';
import { useCountedViews } from '../../shared/list/use-counted-views.ts';
import { type FilterLook, type ListDefinition, offering } from '../../shared/list/use-list.ts';
import { useListTexts } from '../../shared/list/use-list-texts.ts';
import { useAccountsPlace } from './use-accounts-place.ts';

function useFilters(): Record<keyof typeof accountsList.filters, FilterLook> {
  const { t } = useTranslation('accounts');
  const deletedGroup = t('list.filter.deletedGroup');
  const statuses = accountStatuses.map((value) => ({ value, label: t(`status.${value}`) }));
  return {
    group: { ...offering(t('filter.names.group'), useGroupOptions(), deletedGroup), isLong: true },
    status: offering(t('filter.names.status'), statuses),
    owner: useAccountFilter('owner', t('filter.names.owner')),
    no_credits: offering(t('filter.names.no_credits'), [
      { value: 'true', label: t('filter.noCredits') },
      { value: 'false', label: t('filter.someCredits') },
    ]),
  };
}

const accounts = {
  declaration: accountsList,
  queryKey: ['accounts', 'list'],
  isKept: true,
  fetchPage: fetchPages(accountsList, listAccounts),
  useFilters,
  viewTones: { suspended: 'error', no_credits: 'warning' },
  useViewCounts: useCountedViews,
} satisfies Partial<ListDefinition<Account>>;

/** All accounts of the panel, for administrators. */
export const allAccounts: ListDefinition<Account> = {
  ...accounts,
  path: '/resellers',
  useTexts: () => useListTexts<typeof accountsList>('accounts'),
};

/** The same list over the accounts that its reader may see: its own subtree. */
export const myAccounts: ListDefinition<Account> = {
  ...accounts,
  path: '/accounts',
  useTexts: () => ({
    ...useListTexts<typeof accountsList>('accounts'),
    title: useAccountsPlace().label,
  }),
};
