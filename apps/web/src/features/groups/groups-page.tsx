import { PageHeader } from '../../shared/layout/page-header.tsx';
import { ListPage } from '../../shared/list/list-page.tsx';
import { AddGroupLink, GroupBones, GroupLinks } from './group-links.tsx';
import { groups } from './groups-list.ts';

export function GroupsPage() {
  return (
    // The three fixed groups are always there, so there is no first use.
    <ListPage list={groups} header={<PageHeader actions={<AddGroupLink />} />} hasFooter={false}>
      {({ rows, isInert, showsBones }) =>
        rows ? (
          <GroupLinks groups={rows} isInert={isInert} />
        ) : (
          <GroupBones isVisible={showsBones} />
        )
      }
    </ListPage>
  );
}
