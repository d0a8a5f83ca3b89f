import { listGroups } from '@linekeeper/contract/accounts/groups.ts';
import { groupsList } from '@linekeeper/contract/lists/lists.ts';
import { permissions } from '@linekeeper/contract/permissions.ts';
import { useTranslation } from 'react-i18next';
import { defineList } from '#kit/list/define-list.ts';
import { ListPage } from '#kit/list/list-page.tsx';
import { offering } from '#kit/list/use-list.ts';
import { AddGroupLink, GroupLinks } from './group-links.tsx';

export function GroupsPage() {
  return (
    // The three fixed groups are always there, so there is no first use.
    <ListPage list={groups} add={<AddGroupLink />} hasFooter={false}>
      {(rows) => <GroupLinks {...rows} />}
    </ListPage>
  );
}

function useFilters() {
  const { t } = useTranslation('groups');
  const offered = permissions.map((value) => ({ value, label: t(`permissions.${value}`) }));
  return { permission: offering(t('filter.names.permission'), offered) };
}

export const groups = defineList(groupsList, {
  path: '/manage-groups',
  queryKey: ['groups', 'list'],
  endpoint: listGroups,
  texts: 'groups',
  useFilters,
  seenAtAGlance: 12,
});
