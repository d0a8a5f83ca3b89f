import {
  type queryOf as apiQueryOf,
  type Filter,
  type filterBodyOf,
  type ListDeclaration,
  MAX_FILTER_VALUES,
} from '@linekeeper/contract/lists/list.ts';
import type { SavedView } from '@linekeeper/contract/lists/preferences.ts';
import * as z from 'zod';

export const pageSizes = [25, 50, 100] as const;
export const [DEFAULT_SIZE] = pageSizes;

type OrderOf<List extends ListDeclaration> = List['sorts'][number] | `-${List['sorts'][number]}`;

/** Search parameters of a list's address. Several values of a filter are separated by commas. */
export type SearchOf<List extends ListDeclaration> = {
  [Name in keyof List['filters']]?:
    | (List['filters'][Name]['kind'] extends 'flag' ? boolean : string)
    | undefined;
} & {
  q?: string | undefined;
  sort?: OrderOf<List> | undefined;
  cursor?: string | undefined;
  size?: (typeof pageSizes)[number] | undefined;
};

/** Search parameters of any list, for code that works with every list. */
export interface ListSearch {
  q?: string | undefined;
  sort?: string | undefined;
  cursor?: string | undefined;
  size?: (typeof pageSizes)[number] | undefined;
  [filter: string]: string | number | boolean | undefined;
}

/** The values of one filter's search parameter. */
export function valuesOf(part: ListSearch[string]): string[] {
  return part === undefined || part === '' ? [] : String(part).split(',');
}

/** The search parameter for the values of a filter; undefined for no values. */
export function partOf(filter: Filter, values: readonly string[]): string | boolean | undefined {
  if (values.length === 0) return undefined;
  return filter.kind === 'flag' ? values[0] === 'true' : values.join(',');
}

/** Keeps the valid values of a filter; an invalid one does not discard the others. */
function soundPart(filter: Filter, given: unknown): string | boolean | undefined {
  const values = [...new Set([given].flat().map(String).join(',').split(','))];
  const sound = values.filter((value) => filter.value.safeParse(value).success);
  return partOf(filter, sound.slice(0, filter.several ? MAX_FILTER_VALUES : 1));
}

const orNothing = <Part extends z.ZodType>(part: Part) => part.optional().catch(undefined);

/**
 * Schema of a list's search parameters. Invalid parameters are dropped, so that an old or mistyped
 * link still opens the list. `more` adds parameters of the screen itself.
 */
export function addressOf<
  const List extends ListDeclaration,
  More extends z.ZodRawShape = Record<never, never>,
>(list: List, more?: More) {
  const filters = Object.entries(list.filters).map(([name, filter]) => [
    name,
    z
      .unknown()
      .optional()
      .transform((given) => (given === undefined ? given : soundPart(filter, given))),
  ]);
  const orders = list.sorts.flatMap((field) => [field, `-${field}`]);
  const address = z.object({
    q: orNothing(z.coerce.string().max(100)),
    ...Object.fromEntries(filters),
    sort: orNothing(z.enum(orders)),
    cursor: orNothing(z.string().max(2000)),
    size: orNothing(z.literal(pageSizes)),
    ...more,
  });
  type Address = SearchOf<List> &
    ([keyof More] extends [never] ? unknown : z.output<z.ZodObject<More>>);
  return address as unknown as z.ZodType<Address, Address>;
}

export const daysOf = (expires: string) => Number.parseInt(expires, 10);

function queryPart({ kind }: Filter, part: ListSearch[string]): unknown {
  if (part === undefined) return undefined;
  return kind === 'days' ? daysOf(String(part)) : String(part);
}

function bodyPart({ kind }: Filter, part: ListSearch[string]): unknown {
  if (part === undefined || kind === 'flag') return part;
  return kind === 'days' ? daysOf(String(part)) : valuesOf(part);
}

function partsOf(
  { filters }: ListDeclaration,
  search: ListSearch,
  toPart: (filter: Filter, part: ListSearch[string]) => unknown,
) {
  const parts = Object.entries(filters).map(([name, filter]) => [
    filter.field,
    toPart(filter, search[name] ?? filter.unset),
  ]);
  return { q: search.q?.trim() || undefined, ...Object.fromEntries(parts) };
}

/** The API query for all matching rows in order, without paging. */
export function unpagedQuery<const List extends ListDeclaration>(list: List, search: ListSearch) {
  const query = { sort: search.sort, ...partsOf(list, search, queryPart) };
  return query as Omit<z.input<ReturnType<typeof apiQueryOf<List>>>, 'limit' | 'cursor'>;
}

/** The API query for the page in the address. */
export function listQuery<const List extends ListDeclaration>(list: List, search: ListSearch) {
  const page = { limit: search.size ?? DEFAULT_SIZE, cursor: search.cursor };
  const query = { ...page, ...unpagedQuery(list, search) };
  return query as z.input<ReturnType<typeof apiQueryOf<List>>>;
}

/** The filter for the body of a request that concerns all matching rows. */
export function bodyFilter<const List extends ListDeclaration>(list: List, search: ListSearch) {
  return partsOf(list, search, bodyPart) as z.input<ReturnType<typeof filterBodyOf<List>>>;
}

/** A string that identifies the set of matching rows, regardless of order and page. */
export function filterText(list: ListDeclaration, search: ListSearch): string {
  return JSON.stringify(partsOf(list, search, queryPart));
}

/** Search parameters that clear the search text and every filter. */
export function noFilters({ filters }: ListDeclaration): ListSearch {
  return Object.fromEntries(['q', ...Object.keys(filters)].map((name) => [name, undefined]));
}

export function appliedFilters({ filters }: ListDeclaration, search: ListSearch): string[] {
  return Object.keys(filters).filter((name) => search[name] !== undefined);
}

export function isFiltered(list: ListDeclaration, search: ListSearch): boolean {
  return Boolean(search.q) || appliedFilters(list, search).length > 0;
}

/** Names of the filters that views set. Other filters and the search can be combined with any view. */
function viewFilters({ views }: ListDeclaration): Set<string> {
  return new Set(Object.values(views).flatMap((filters) => Object.keys(filters)));
}

/** The view whose filters are exactly those in the address; otherwise the first view. */
export function currentView(list: ListDeclaration, search: ListSearch): string {
  const names = [...viewFilters(list)];
  const views = Object.entries(list.views);
  const current = views.find(([, filters]) =>
    names.every((name) => search[name] === filters[name]),
  );
  return (current ?? views[0])?.[0] ?? '';
}

export interface Chip {
  filter: string;
  value: string;
}

/** One chip for each filter value, except those that the current view implies. */
export function chipsOf(list: ListDeclaration, search: ListSearch): Chip[] {
  const shown = list.views[currentView(list, search)] ?? {};
  return appliedFilters(list, search)
    .filter((name) => shown[name] === undefined)
    .flatMap((filter) => valuesOf(search[filter]).map((value) => ({ filter, value })));
}

/** The search parameters without one value of one filter. */
export function withoutValue(list: ListDeclaration, search: ListSearch, chip: Chip): ListSearch {
  const filter = list.filters[chip.filter];
  const values = valuesOf(search[chip.filter]).filter((value) => value !== chip.value);
  return { [chip.filter]: filter && partOf(filter, values) };
}

/** The order in the address, or the list's default. */
export function orderOf(list: ListDeclaration, { sort }: ListSearch): string {
  return sort ?? list.defaultSort;
}

/** The column by which an order sorts, without the sign of its direction. */
export const sortedBy = (order: string) => order.replace(/^-/, '');

const reversed = (order: string) => (order.startsWith('-') ? sortedBy(order) : `-${order}`);

/**
 * The order after a click on a column header: the column's first, usually ascending, then the reverse,
 * then the default.
 */
export function nextOrder(
  { defaultSort }: ListDeclaration,
  first: string,
  current: string = defaultSort,
): string | undefined {
  const isOwnColumn = sortedBy(first) === sortedBy(defaultSort);
  if (current === reversed(first) && !isOwnColumn) return undefined;
  const next = current === first ? reversed(first) : first;
  return next === defaultSort ? undefined : next;
}

/** The part of the address that a saved view stores: search text, filters and order. */
export function viewOf(list: ListDeclaration, search: ListSearch): SavedView['search'] {
  const texts = ['q', ...Object.keys(list.filters), 'sort'].flatMap((name) =>
    search[name] === undefined ? [] : [[name, String(search[name])]],
  );
  return Object.fromEntries(texts);
}

/** The search parameters of a saved view, without values that are no longer valid. */
export function searchOfView(list: ListDeclaration, { search }: SavedView): ListSearch {
  return addressOf(list).parse(search) as ListSearch;
}

/** The saved view that matches the address, regardless of page and page size. */
export function currentSavedView(
  list: ListDeclaration,
  saved: readonly SavedView[],
  search: ListSearch,
): SavedView | undefined {
  const shown = sorted(viewOf(list, search));
  return saved.find((view) => sorted(view.search) === shown);
}

/** A string that does not depend on the order of parameters or values, for comparing views. */
function sorted(search: SavedView['search']): string {
  const parts = Object.entries(search).map(([name, part]) => [
    name,
    name === 'q' ? part : part.split(',').sort().join(),
  ]);
  return JSON.stringify(parts.sort());
}
