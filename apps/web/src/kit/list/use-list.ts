import type { ListDeclaration } from '@linekeeper/contract/lists/list.ts';
import type { ListName } from '@linekeeper/contract/lists/preferences.ts';
import {
  keepPreviousData,
  type QueryKey,
  queryOptions,
  type UseQueryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext, useState } from 'react';
import type * as z from 'zod';
import type { BadgeTone } from '#kit/ui/badge.tsx';
import { ApiError } from '#platform/api/client.ts';
import { useDelayed } from '#platform/browser/use-delayed.ts';
import { preferencesQuery, usePreferences } from '#platform/data/preferences.ts';
import { DEFAULT_SIZE, isFiltered, type ListSearch } from '#screens/address.ts';
import type { screens } from '#screens/screens.ts';
import type { ListState } from './list-body.tsx';

export interface ListRow {
  id: string;
}

export interface Page<Row> {
  items: Row[];
  next_cursor: string | null;
  total: number | null;
  total_is_exact: boolean | null;
}

/** Texts and options of a filter in the filter panel. */
export interface FilterLook {
  name: string;
  /**
   * Options in display order. The filter panel omits filters with neither options nor `Control`.
   */
  options?: { value: string; label: string }[];
  /** Returns the text of a value, for example for a chip. */
  valueText: (value: string) => string;
  /** Custom control for filters with too many options, such as a search field. */
  Control?: (props: FilterControlProps) => ReactNode;
  /** True to fold all but the first options behind "more". */
  isLong?: boolean;
}

export interface FilterControlProps {
  name: string;
  values: string[];
  onChange: (values: string[]) => void;
  /** All chosen filters, for a control that sets several of them. */
  draft: ListSearch;
  set: (changes: ListSearch) => void;
}

/**
 * A filter with options, whose labels also name the values in chips. `otherText` names values that
 * are no longer among the options, such as the id of a deleted group in a saved view.
 */
export function offering(
  name: string,
  options: { value: string; label: string }[],
  otherText?: string,
): FilterLook {
  const labels = new Map(options.map(({ value, label }) => [value, label]));
  return { name, options, valueText: (value) => labels.get(value) ?? otherText ?? value };
}

/** The columns that are hidden from a reader, for this search. */
export type HiddenColumns = (
  reader: { is_admin: boolean },
  search: ListSearch,
) => readonly string[];

export interface ListTexts {
  title: string;
  /** Text for screen readers if the first rows take longer than a moment. */
  loading: string;
  noMatch: string;
  /** Label of the checkbox that selects all rows of a page, if rows can be selected. */
  selectPage?: string;
  /** Label of the search box. */
  search: string;
  /** Hint for a search of fewer than three letters, which only matches the beginnings of names. */
  searchIsShort?: string;
  filterTitle: string;
  /** Label of the filter panel's button; `count` is null while unknown. */
  show: (count: number | null, isExact: boolean) => string;
  column: (column: string) => string;
  order: (sort: string) => string;
  view: (view: string) => string;
  /** Returns the text of a column's or filter's value, such as a status. */
  value?: (field: string, value: string) => string;
}

type Screens = typeof screens;

/** Paths of screens with a list, recognized by the `cursor` search parameter. */
type ListPath = {
  [Name in keyof Screens]: Screens[Name] extends { search: z.ZodType<infer Search> }
    ? 'cursor' extends keyof Search
      ? Screens[Name]['path']
      : never
    : never;
}[keyof Screens];

/** Defines a list for the shared list components, beyond its declaration in the contract. */
export interface ListDefinition<Row extends ListRow = ListRow> {
  declaration: ListDeclaration & { name: ListName };
  /** Path of the list's screen. */
  path: ListPath;
  /** True for a list below other parts of its screen, to which paging does not scroll. */
  isPart?: true;
  /** Prefix of the query keys of pages; live changes make queries stale by its first part. */
  queryKey: QueryKey;
  fetchPage: (
    search: ListSearch,
    options: { signal: AbortSignal; limit?: number },
  ) => Promise<Page<Row>>;
  /** Milliseconds between refetches, for lists whose changes are not all announced live. */
  refetchMs?: number;
  useTexts: () => ListTexts;
  useFilters: () => Record<string, FilterLook>;
  /** Number of rows up to which search, filters and views are hidden, because so few are seen at a glance. */
  seenAtAGlance?: number;
  /** Columns that a reader is not offered, because they would be empty or all equal; by default none. */
  hides?: HiddenColumns;
  /** Returns the columns that nobody is offered at present. */
  useHidden?: () => readonly string[];
  viewTones?: Record<string, BadgeTone>;
  /** Views whose tab is hidden while they match no rows. */
  viewsIfAny?: readonly string[];
  /** The order of a view's tab at first, for views that differ from the list. */
  viewOrders?: Record<string, string>;
  /** Content before the name of a view. */
  viewMarks?: Record<string, ReactNode>;
  /** Number of rows in each built-in view. */
  useViewCounts?: () => Record<string, number> | undefined;
  /** Number of rows for each value of a filter, by the filter's API field. */
  useChoiceCounts?: () => Record<string, Record<string, number>> | undefined;
}

/** Link props for a list's screen. The cast is safe, because declaration and path belong together. */
export function listLink(
  { path, isPart }: Pick<ListDefinition, 'path' | 'isPart'>,
  search: ListSearch,
) {
  return { to: path, search: search as never, resetScroll: !isPart };
}

const ListContext = createContext<ListDefinition | null>(null);
export const ListProvider = ListContext;

/** The definition of the surrounding list. */
export function useListDefinition(): ListDefinition {
  const definition = useContext(ListContext);
  if (!definition) throw new Error('A part of a list was drawn outside of it');
  return definition;
}

/**
 * Cursors of the previous pages. Cursors lead only forward, so they are kept in the history state,
 * which survives Back, Forward and a reload.
 */
interface PassedPages {
  cursors: readonly string[];
  total: number | null;
  total_is_exact: boolean | null;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    passedPages?: PassedPages;
  }
}

const FIRST_PAGE = '';

/** The list's search parameters and a function that changes them. */
export function useListSearch() {
  const definition = useListDefinition();
  const search: ListSearch = useSearch({ from: `/shell${definition.path}` });
  const navigate = useNavigate();

  /**
   * Returns to the first page, because cursors are only valid for one query. Changes the newest address, even one that
   * is not shown yet, because text and filters may change one right after the other.
   */
  const change = (changes: ListSearch, { replace = false } = {}) =>
    navigate({
      ...listLink(definition, {}),
      search: ((latest: ListSearch) => ({ ...latest, cursor: undefined, ...changes })) as never,
      replace,
    });

  return { search, change };
}

/** The query of one page of a list; the previous page is shown while it loads. */
export function pageQuery<Row extends ListRow>(
  { queryKey, fetchPage, declaration, refetchMs }: ListDefinition<Row>,
  search: ListSearch,
) {
  const { q, sort, cursor, size } = search;
  const filters = Object.keys(declaration.filters).map((name) => [name, search[name]]);
  const asked = { ...Object.fromEntries(filters), q, sort, cursor, size };
  return queryOptions({
    queryKey: [...queryKey, asked],
    queryFn: ({ signal }) => fetchPage(asked, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refetchMs ?? false,
  });
}

/** The page in the address, or undefined while it is loading; never the previous page. */
export function useAskedPage<Row extends ListRow>(
  definition: ListDefinition<Row>,
): Page<Row> | undefined {
  const { search } = useListSearch();
  const { data, isPlaceholderData } = useQuery(pageQuery(definition, search));
  return isPlaceholderData ? undefined : data;
}

/** The number of matching rows; null while it is unknown. Only the first page is counted. */
export function useTotal(search: ListSearch) {
  const asked = pageQuery(useListDefinition(), { ...search, cursor: undefined });
  const { data, isPlaceholderData } = useQuery(asked);
  if (!data || isPlaceholderData) return { total: null, isExact: false };
  return { total: data.total, isExact: data.total_is_exact === true };
}

/** True if a list is long enough to need search and filters, which are hidden for shorter ones. */
export function useNeedsSearch(): boolean {
  const definition = useListDefinition();
  const { declaration, seenAtAGlance } = definition;
  const { search } = useListSearch();
  const { views } = usePreferences().lists[declaration.name];
  const { data } = useQuery({
    ...pageQuery(definition, {}),
    enabled: seenAtAGlance !== undefined,
  });
  if (seenAtAGlance === undefined || views.length > 0) return true;
  return isFiltered(declaration, search) || (data?.total ?? 0) > seenAtAGlance;
}

/** The page in the address. While it is loading, the previous page, unless that page was empty. */
export function useListPage<Row extends ListRow>(definition: ListDefinition<Row>) {
  const { search } = useListSearch();
  // The page waits for the preferences, because rows would render again once the columns are known.
  const { isPending } = useQuery(preferencesQuery());
  return useShownPage(pageQuery(definition, search), isPending);
}

/**
 * Position of the shown page in the list, if known, and functions that lead to the next and previous page. `isAsked` is
 * false while the previous page is shown; position and next page are unknown then.
 */
export function usePaging(page: Page<unknown>, isAsked: boolean) {
  const definition = useListDefinition();
  const { search } = useListSearch();
  const navigate = useNavigate();
  const known = useLocation({ select: ({ state }) => state.passedPages });
  const isFirst = search.cursor === undefined;
  const cursors = (!isFirst && known?.cursors) || [];
  // The API counts rows only for the first page.
  const counted = isAsked ? page : { total: null, total_is_exact: null };
  const { total, total_is_exact } = isFirst ? counted : (known ?? counted);

  const goTo = (cursor: string, passed: readonly string[]) =>
    navigate({
      ...listLink(definition, { ...search, cursor: cursor || undefined }),
      state: { passedPages: { cursors: passed, total, total_is_exact } },
    });

  const { next_cursor } = page;
  const isKnown = isAsked && (isFirst || known);
  const from = isKnown ? cursors.length * (search.size ?? DEFAULT_SIZE) + 1 : undefined;
  return {
    from,
    to: from === undefined ? undefined : from + page.items.length - 1,
    total,
    isExact: total_is_exact !== false,
    // A link to a later page has no cursors of the earlier ones, so Back leads to the first page.
    goBack: isFirst ? undefined : () => goTo(cursors.at(-1) ?? FIRST_PAGE, cursors.slice(0, -1)),
    goOn:
      isAsked && next_cursor
        ? () => goTo(next_cursor, [...cursors, search.cursor ?? FIRST_PAGE])
        : undefined,
  };
}

const LATE_MS = 10_000;

interface SomePage {
  items: readonly unknown[];
}

function isUnreachable(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 0;
}

/**
 * The requested page; while it is loading, the previous page, unless that was empty. `isHeldBack`
 * shows no page while preferences are loading, because rows would render twice.
 */
function useShownPage<Page extends SomePage, Key extends QueryKey>(
  asked: UseQueryOptions<Page, Error, Page, Key>,
  isHeldBack: boolean,
) {
  const queryClient = useQueryClient();
  const { data, isPlaceholderData, error, isFetching, refetch } = useQuery(asked);
  const [last, setLast] = useState(data);
  if (data && data !== last) setLast(data);
  const isWaiting = isHeldBack || (isPlaceholderData && data?.items.length === 0);
  // Offline, the last page is better than none; the shell warns that it may be outdated.
  const old = isUnreachable(error) && last && last.items.length > 0 ? last : undefined;
  const page = isWaiting ? undefined : (data ?? old);
  // Rows of the previous query are shown but must not be acted on.
  const isAsked = page === data && !isPlaceholderData;
  const state: ListState = {
    count: page?.items.length,
    error,
    isFetching,
    isLate: useDelayed(isFetching && !isAsked, LATE_MS),
    retry: async () => {
      // Without this, `refetch` would wait for the request that hangs.
      await queryClient.cancelQueries({ queryKey: asked.queryKey });
      void refetch();
    },
  };
  return { page, isAsked, state };
}
