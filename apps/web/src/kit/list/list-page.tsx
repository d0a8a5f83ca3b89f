import type { ReactNode } from 'react';
import { PageHeader, type PageHeaderProps } from '#kit/page/page-header.tsx';
import { EmptyPanel, type EmptyPanelProps } from '#kit/ui/states/empty-panel.tsx';
import type { ListColumn } from './columns.tsx';
import { ListCard } from './list-body.tsx';
import { ListRows, type RowLook } from './list-rows.tsx';
import { ListToolbar } from './list-toolbar.tsx';
import { PagedList, type PagedListProps } from './paged-list.tsx';
import { ListProvider, type ListRow } from './use-list.ts';
import { ViewTabs } from './views/view-tabs.tsx';

interface ListPageProps<Row extends ListRow>
  extends Pick<PageHeaderProps, 'title' | 'badges' | 'actions'>,
    Pick<PagedListProps<Row>, 'list' | 'hasFooter'>,
    Omit<RowLook<Row>, 'columns'> {
  /** The link that adds a row, in the header and in the message for an empty list. */
  add?: ReactNode;
  /** The message for an empty list; undefined for a list that is never empty. */
  firstUse?: EmptyPanelProps;
  /** Columns of the table; undefined if `children` draw the rows. */
  columns?: readonly ListColumn<Row>[];
  children?: PagedListProps<Row>['children'];
}

/** The page of a declared list: its views, search and filters, and below them the rows. */
export function ListPage<Row extends ListRow>(props: ListPageProps<Row>) {
  const { title, badges, actions, add, list, hasFooter = true, ...rest } = props;
  const { firstUse, columns = [], children, ...look } = rest;
  return (
    <ListProvider value={list}>
      <PageHeader
        {...(title ? { title } : {})}
        badges={badges}
        actions={
          (actions || add) && (
            <>
              {actions}
              {add}
            </>
          )
        }
      />
      <ListCard label={list.useTexts().title} hasCards={list.declaration.columns.length > 0}>
        <ViewTabs />
        <PagedList
          list={list}
          toolbar={<ListToolbar />}
          firstUse={firstUse && <EmptyPanel action={add} {...firstUse} />}
          hasFooter={hasFooter}
        >
          {children ?? ((rows) => <ListRows {...rows} {...look} columns={columns} />)}
        </PagedList>
      </ListCard>
    </ListProvider>
  );
}
