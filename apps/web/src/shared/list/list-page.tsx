import type { ReactNode } from 'react';
import { ListCard } from './list-body.tsx';
import { ListToolbar } from './list-toolbar.tsx';
import { PagedList, type PagedListProps } from './paged-list.tsx';
import { ListProvider, type ListRow } from './use-list.ts';
import { ViewTabs } from './views/view-tabs.tsx';

interface ListPageProps<Row extends ListRow>
  extends Omit<PagedListProps<Row>, 'toolbar' | 'firstUse'> {
  header: ReactNode;
  /** Shown if the list is empty; left out where a list never is. */
  firstUse?: ReactNode;
}

/** The page of a declared list: its views, search and filters, and below them the rows. */
export function ListPage<Row extends ListRow>({ header, ...paged }: ListPageProps<Row>) {
  const { list, firstUse } = paged;
  const { title } = list.useTexts();
  return (
    <ListProvider value={list}>
      {header}
      <ListCard label={title} hasCards={list.declaration.columns.length > 0}>
        <ViewTabs />
        <PagedList {...paged} toolbar={<ListToolbar />} firstUse={firstUse} />
      </ListCard>
    </ListProvider>
  );
}
