import { serverId, userId } from '@linekeeper/contract/fields.ts';
import type { SavedView } from '@linekeeper/contract/preferences.ts';
import {
  type LinesSearch,
  type lineOrders,
  linesSearch,
  pageSizes,
} from '../../shared/lines-search.ts';

export type LineOrder = (typeof lineOrders)[number];
export const [DEFAULT_SIZE] = pageSizes;

/** What says which lines are shown, beside the search; not in what order or how many. */
const filterNames = ['status', 'expires', 'trial', 'sync', 'server', 'owner'] as const;
export type FilterName = (typeof filterNames)[number];

export const noFilters: LinesSearch = {
  q: undefined,
  status: undefined,
  expires: undefined,
  trial: undefined,
  sync: undefined,
  server: undefined,
  owner: undefined,
};

export function appliedFilters(search: LinesSearch): FilterName[] {
  return filterNames.filter((name) => search[name] !== undefined);
}

export function isFiltered(search: LinesSearch): boolean {
  return Boolean(search.q) || appliedFilters(search).length > 0;
}

/** The views of the list: what their tabs put into the address, and which count they show. */
export const views = [
  { name: 'all', filters: {}, tone: 'neutral' },
  { name: 'active', filters: { status: 'active' }, tone: 'success' },
  { name: 'expiring', filters: { expires: '7d' }, tone: 'warning' },
  { name: 'expired', filters: { status: 'expired' }, tone: 'error' },
  { name: 'trials', filters: { trial: true }, tone: 'info' },
  { name: 'not_synced', filters: { sync: 'failed' }, tone: 'warning' },
] as const satisfies readonly { name: string; filters: LinesSearch; tone: string }[];
type View = (typeof views)[number];

/** What only views say; search, server and owner narrow any view down. */
const viewFilterNames = ['status', 'expires', 'trial', 'sync'] as const;

/** The view whose filters are exactly those in the address; otherwise all lines, filtered. */
export function currentView(search: LinesSearch): View {
  const isCurrent = ({ filters }: { filters: LinesSearch }) =>
    viewFilterNames.every((name) => search[name] === filters[name]);
  return views.find(isCurrent) ?? views[0];
}

/** The filters to name as chips: the chosen tab shows its own already. */
export function chipNames(search: LinesSearch): FilterName[] {
  const shown: LinesSearch = currentView(search).filters;
  return appliedFilters(search).filter((name) => shown[name] === undefined);
}

export const daysOf = (expires: string) => Number.parseInt(expires, 10);

/** The address of the screen as the query of the API. Ids that cannot be ids are left out. */
export function listQuery(search: LinesSearch) {
  return {
    limit: search.size ?? DEFAULT_SIZE,
    cursor: search.cursor,
    sort: search.sort,
    q: search.q?.trim() || undefined,
    status: search.status,
    server_id: serverId.safeParse(search.server).data,
    owner_id: userId.safeParse(search.owner).data,
    is_trial: search.trial === undefined ? undefined : (`${search.trial}` as const),
    expires_within: search.expires && daysOf(search.expires),
    sync_state: search.sync,
  };
}

export type SortableColumn = 'username' | 'expiry_date' | 'added_date';

/** Without an order of its own the list shows what was added last first. */
export function orderOf({ sort }: LinesSearch): LineOrder {
  return sort ?? '-added_date';
}

/** What a click on a column's head asks for: up, then down, then newest first again. */
export function nextOrder(
  column: SortableColumn,
  current: LineOrder | undefined,
): LineOrder | undefined {
  if (current === column) return column === 'added_date' ? undefined : `-${column}`;
  return current === `-${column}` ? undefined : column;
}

/** What is worth keeping of an address as a view: which lines, and in what order. */
export function viewOf({ cursor, size, ...kept }: LinesSearch): SavedView['search'] {
  const texts = Object.entries(kept).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return Object.fromEntries(texts);
}

/** A saved view as an address. What no longer makes sense in it is left out. */
export function searchOfView({ search }: SavedView): LinesSearch {
  const { trial, ...texts } = search;
  return linesSearch.parse({
    ...texts,
    ...(trial === undefined ? {} : { trial: trial === 'true' }),
  });
}

/** The saved view that is shown; a page or page size of its own makes no other view. */
export function currentSavedView(
  saved: readonly SavedView[],
  search: LinesSearch,
): SavedView | undefined {
  const shown = sorted(viewOf(search));
  return saved.find((view) => sorted(view.search) === shown);
}

function sorted(search: SavedView['search']): string {
  return JSON.stringify(Object.entries(search).sort());
}
