import { Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DEFAULT_SIZE, isFiltered, type ListSearch, pageSizes } from '../../screens/address.ts';
import { ApiError } from '../api/client.ts';
import { useDrawnInSlices } from '../start/later.tsx';
import { ListFooter, Pager, PageSize, Range } from './footer.tsx';
import { ListBody, Rows } from './list-body.tsx';
import type { ShownRows } from './list-rows.tsx';
import { NoMatchPanel } from './no-match-panel.tsx';
import {
  type ListDefinition,
  type ListRow,
  listLink,
  useListPage,
  useListSearch,
  usePaging,
} from './use-list.ts';

export interface PagedListProps<Row extends ListRow> {
  list: ListDefinition<Row>;
  toolbar: ReactNode;
  firstUse: ReactNode;
  /** Shown where nothing matches; by default what was looked for, and a link that clears it. */
  noMatch?: ReactNode;
  /** Shows the footer even when all rows fit on one page. */
  hasFooter?: boolean;
  children: (rows: ShownRows<Row>) => ReactNode;
}

const noPage = { items: [], next_cursor: null, total: null, total_is_exact: null };

/** The page of a declared list that its address asks for, or why there is none; and the way on. */
export function PagedList<Row extends ListRow>(props: PagedListProps<Row>) {
  const { list, toolbar, firstUse, hasFooter = true, children } = props;
  const { loading } = list.useTexts();
  const { search } = useListSearch();
  const { page: fetched, isAsked, state } = useListPage(list);
  const page = useDrawnInSlices(fetched);
  const paging = usePaging(page ?? noPage, isAsked);
  const { error } = state;
  const isCursorStale =
    state.count === 0 || (error instanceof ApiError && error.code === 'INVALID_CURSOR');
  if (search.cursor && isCursorStale) {
    return <Navigate {...listLink(list, { ...search, cursor: undefined })} replace />;
  }
  const isWhole = !search.cursor && page?.next_cursor === null;
  return (
    <ListBody
      state={state}
      isFiltered={isFiltered(list.declaration, search)}
      toolbar={toolbar}
      firstUse={firstUse}
      noMatch={props.noMatch ?? <NoMatchPanel />}
    >
      <Rows isLoading={page === undefined} loadingText={loading}>
        {(showsBones) => children({ rows: page?.items, isInert: !isAsked, showsBones })}
      </Rows>
      {page && (hasFooter || !isWhole) && (
        <ListFooter>
          <ListPageSize />
          <Range {...paging} />
          <Pager {...paging} />
        </ListFooter>
      )}
    </ListBody>
  );
}

function ListPageSize() {
  const { search, change } = useListSearch();
  const choose = (size: ListSearch['size']) =>
    change({ size: size === DEFAULT_SIZE ? undefined : size });
  return <PageSize size={search.size ?? DEFAULT_SIZE} sizes={pageSizes} onChoose={choose} />;
}
