import type { Group } from '@linekeeper/contract/accounts/groups.ts';
import { useTranslation } from 'react-i18next';
import { isFiltered } from '../../screens/address.ts';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { ListCard } from '../../shared/list/list-body.tsx';
import { ListToolbar } from '../../shared/list/list-toolbar.tsx';
import { PagedList } from '../../shared/list/paged-list.tsx';
import { ListProvider, useListSearch, useTotal } from '../../shared/list/use-list.ts';
import { useListPreferences } from '../../shared/list/use-list-preferences.ts';
import type { ListTableRows } from '../../shared/list/use-list-table.ts';
import { ViewTabs } from '../../shared/list/views/view-tabs.tsx';
import { AddGroupLink, GroupBones, GroupLinks } from './group-links.tsx';
import { groups } from './groups-list.ts';

/** So many groups are found at a glance: there search and filters would only be in the way. */
const AT_A_GLANCE = 12;

export function GroupsPage() {
  const { t } = useTranslation('groups');
  return (
    <ListProvider value={groups}>
      <PageHeader actions={<AddGroupLink />} />
      <ListCard label={t('title')}>
        <Views />
        {/* The three fixed groups are always there, so there is no first use. */}
        <PagedList list={groups} toolbar={<GroupsToolbar />} firstUse={null} hasFooter={false}>
          {(rows) => <GroupRows {...rows} />}
        </PagedList>
      </ListCard>
    </ListProvider>
  );
}

function GroupRows({ rows, isInert, showsBones }: ListTableRows<Group>) {
  if (!rows) return <GroupBones isVisible={showsBones} />;
  return <GroupLinks groups={rows} isInert={isInert} />;
}

function useNeedsSearch(): boolean {
  const { search } = useListSearch();
  const { views } = useListPreferences();
  const { total } = useTotal({});
  const isLong = total !== null && total > AT_A_GLANCE;
  return isLong || views.length > 0 || isFiltered(groups.declaration, search);
}

function Views() {
  return useNeedsSearch() && <ViewTabs />;
}

function GroupsToolbar() {
  return useNeedsSearch() && <ListToolbar />;
}
