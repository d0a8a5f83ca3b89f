import { Navigate } from '@tanstack/react-router';
import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useDeferredValue, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { ApiError } from '#platform/api/client.ts';
import { DEFAULT_SIZE, isFiltered, type ListSearch, pageSizes } from '#screens/address.ts';
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
  /** Content if nothing matches; by default the search and filters, and a link that clears them. */
  noMatch?: ReactNode;
  /** True to show the footer even if all rows fit on one page. */
  hasFooter?: boolean;
  children: (rows: ShownRows<Row>) => ReactNode;
}

const noPage = { items: [], next_cursor: null, total: null, total_is_exact: null };

/**
 * The page of a list that the address names, or the reason why it cannot be shown, with buttons to the next and
 * previous page.
 */
export function PagedList<Row extends ListRow>(props: PagedListProps<Row>) {
  const { list, toolbar, firstUse, hasFooter = true, children } = props;
  const { loading } = list.useTexts();
  const { search } = useListSearch();
  const { page: fetched, isAsked, state } = useListPage(list);
  // Drawing the first rows takes long on a phone, so React does it between other work.
  const isDrawn = useDeferredValue(fetched !== undefined);
  const page = isDrawn ? fetched : undefined;
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
        {(showsSkeleton) => children({ rows: page?.items, isInert: !isAsked, showsSkeleton })}
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

const NOT_STICKY =
  'phone:static phone:justify-between phone:gap-2 phone:ps-2 phone:pe-0 phone:bg-transparent phone:shadow-none low:static print:static print:[&>:not([role=status])]:hidden';

/**
 * The footer of a list, sticky below the rows. It covers none of them, so that a focused row needs
 * no scroll margin. On a phone it scrolls. On paper it only has the range of rows.
 */
function ListFooter({ children }: { children: ReactNode }) {
  return (
    <div
      className={`flex items-center justify-end gap-6 sticky bottom-0 z-3 h-14 ps-6 pe-4 rounded-b-card bg-paper shadow-[0_-1px_0_var(--color-divider)] text-text-2 above-phone:[--covered-top:0px] above-phone:[--covered-bottom:0px] ${NOT_STICKY}`}
    >
      {children}
    </div>
  );
}

interface PageSizeProps<Size extends number> {
  size: Size;
  sizes: readonly Size[];
  onChoose: (size: Size) => void;
}

function PageSize<Size extends number>({ size, sizes, onChoose }: PageSizeProps<Size>) {
  const { t } = useTranslation();
  const id = useId();
  const choose = (text: string) => {
    const chosen = sizes.find((one) => one === Number(text));
    if (chosen !== undefined) onChoose(chosen);
  };
  return (
    <span className="flex items-center gap-2 only-wide">
      <label htmlFor={id}>{t('list.rows')}</label>
      <span className="relative flex items-center">
        <select
          id={id}
          className="h-8 pt-0 pr-5 pb-0 pl-1 border-0 rounded-control [appearance:none] [field-sizing:content] bg-transparent text-text font-semibold cursor-pointer"
          value={size}
          onChange={({ target }) => choose(target.value)}
        >
          {sizes.map((one) => (
            <option key={one} className="bg-paper">
              {one}
            </option>
          ))}
        </select>
        <ChevronDown className="absolute end-0 text-text pointer-events-none" size={16} />
      </span>
    </span>
  );
}

/** Position of the page in the list; undefined or null where unknown. */
interface Place {
  from: number | undefined;
  to: number | undefined;
  total: number | null;
  isExact: boolean;
}

/** A live region, since the range is the result of a search or page change. */
function Range({ from, to, total, isExact }: Place) {
  const { t } = useTranslation();
  const text = () => {
    if (from === undefined || to === undefined) return null;
    if (total === null) return t('list.range', { from, to });
    return t(isExact ? 'list.rangeOf' : 'list.rangeOfMany', { from, to, total });
  };
  return (
    // The text keeps its width while loading, so that the controls beside it do not move.
    <span className="min-w-24 text-end phone:text-start" role="status">
      {text()}
    </span>
  );
}

interface PagerProps {
  /** Goes to the previous page; undefined on the first one, as `goOn` is on the last. */
  goBack: (() => void) | undefined;
  goOn: (() => void) | undefined;
}

function Pager({ goBack, goOn }: PagerProps) {
  const { t } = useTranslation();
  return (
    <nav
      className="flex items-stretch gap-1 [&_[aria-disabled=true]]:cursor-default [&_[aria-disabled=true]]:opacity-40"
      aria-label={t('list.pages')}
    >
      <IconButton size="small" label={t('list.previous')} aria-disabled={!goBack} onClick={goBack}>
        <ChevronLeft size={20} />
      </IconButton>
      <IconButton size="small" label={t('list.next')} aria-disabled={!goOn} onClick={goOn}>
        <ChevronRight size={20} />
      </IconButton>
    </nav>
  );
}
