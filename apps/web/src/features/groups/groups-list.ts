import { type Group, groupsList, listGroups } from '@linekeeper/contract/accounts/groups.ts';
import { permissions } from '@linekeeper/contract/permissions.ts';
import { useTranslation } from 'react-i18next';
import { fetchPages } from '../../shared/list/fetch-pages.ts';
import { type FilterLook, type ListDefinition, offering } from '../../shared/list/use-list.ts';
import { useListTexts } from '../../shared/list/use-list-texts.ts';

function useFilters(): Record<keyof typeof groupsList.filters, FilterLook> {
  const { t } = useTranslation('groups');
  const offered = permissions.map((value) => ({ value, label: t(`permissions.${value}`) }));
  return { permission: offering(t('filter.names.permission'), offered) };
}

/** The list of groups, as the parts of every list are told it. */
export const groups: ListDefinition<Group> = {
  declaration: groupsList,
  path: '/manage-groups',
  queryKey: ['groups', 'list'],
  isKept: true,
  fetchPage: fetchPages(groupsList, listGroups),
  useTexts: () => useListTexts<typeof groupsList>('groups'),
  useFilters,
};
