import { groupsList, listGroups } from '@linekeeper/contract/accounts/groups.ts';
import { permissions } from '@linekeeper/contract/permissions.ts';
import { useTranslation } from 'react-i18next';
import { defineList } from '../../shared/list/define-list.ts';
import { offering } from '../../shared/list/use-list.ts';

function useFilters() {
  const { t } = useTranslation('groups');
  const offered = permissions.map((value) => ({ value, label: t(`permissions.${value}`) }));
  return { permission: offering(t('filter.names.permission'), offered) };
}

export const groups = defineList(groupsList, {
  path: '/manage-groups',
  queryKey: ['groups', 'list'],
  isKept: true,
  endpoint: listGroups,
  texts: 'groups',
  useFilters,
  seenAtAGlance: 12,
});
