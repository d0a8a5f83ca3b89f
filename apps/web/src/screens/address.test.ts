import { listTransfers } from '@linekeeper/contract/credits/transfers.ts';
import { lineFilter, listLines } from '@linekeeper/contract/lines/lines.ts';
import { linesList, pushesList, transfersList } from '@linekeeper/contract/lists/lists.ts';
import { expect, test } from 'vitest';
import {
  addressOf,
  bodyFilter,
  chipsOf,
  currentSavedView,
  currentView,
  filterText,
  isFiltered,
  type ListSearch,
  listQuery,
  nextOrder,
  noFilters,
  orderOf,
  searchOfView,
  unpagedQuery,
  viewOf,
  withoutValue,
} from './address.ts';
import { linesSearch } from './line-screens.ts';
import { syncSearch } from './sync-search.ts';

const server = '0b8f0c1e-6a55-4c5e-9f0e-3a6f2d1c7b90';
const other = '1b8f0c1e-6a55-4c5e-9f0e-3a6f2d1c7b91';

/** Search parameters arrive as text. */
const asSent = (query: object) =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
const given = (object: object) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

const address = {
  q: ' wohn ',
  status: 'active,expired',
  server: `${server},${other}`,
  expires: '7d',
  ended: '30d',
  trial: false,
  sync: 'failed',
  sort: '-expiry_date',
  size: 50,
  cursor: 'next',
} as const;
const found = {
  q: 'wohn',
  status: ['active', 'expired'],
  server_id: [server, other],
  is_trial: false,
  expires_within: 7,
  expired_for: 30,
  sync_state: ['failed'],
};

test('the address becomes a query that the API takes', () => {
  expect(listLines.query.parse(asSent(listQuery(linesList, address)))).toEqual({
    limit: 50,
    cursor: 'next',
    sort: '-expiry_date',
    ...found,
    with_below: false,
  });
  expect(given(unpagedQuery(linesList, address))).not.toHaveProperty('limit');
});

test('the address becomes an equivalent filter of a job', () => {
  expect(lineFilter.parse(bodyFilter(linesList, address))).toEqual({ ...found, with_below: false });
  expect(given(bodyFilter(linesList, {}))).toEqual({ with_below: false });
});

test('an empty address asks for 25 lines, newest first', () => {
  const parsed = listLines.query.parse(asSent(listQuery(linesList, {})));
  expect(parsed).toEqual({ limit: 25, sort: '-added_date', with_below: false });
});

test('lines of accounts below are there if the address says so', () => {
  const read = addressOf(linesList).parse({ below: 'true' });
  expect(listLines.query.parse(asSent(listQuery(linesList, read)))).toMatchObject({
    with_below: true,
  });
  expect(lineFilter.parse(bodyFilter(linesList, read))).toEqual({ with_below: true });
  expect(chipsOf(linesList, read)).toEqual([{ filter: 'below', value: 'true' }]);
  expect(given(addressOf(linesList).parse({ below: 'false' }))).toEqual({});
});

test.each([
  [{ status: 'active,gone,expired,active' }, { status: 'active,expired' }],
  [{ status: ['active', 'expired'] }, { status: 'active,expired' }],
  [{ status: 'gone' }, {}],
  [{ status: '' }, {}],
  [{ status: 7 }, {}],
  [{ server: `frankfurt,${server}` }, { server }],
  [{ owner: 7 }, {}],
  [{ expires: '7d,30d' }, { expires: '7d' }],
  [{ expires: '7' }, {}],
  [{ trial: 'true' }, { trial: true }],
  [{ trial: false }, { trial: false }],
  [{ trial: 'perhaps' }, {}],
  [
    { q: 123, sort: 'username', size: 50 },
    { q: '123', sort: 'username', size: 50 },
  ],
  [{ sort: 'password', size: 7, gone: 'x', job: 'recent' }, { job: 'recent' }],
])('of an address, what makes no sense is dropped and the rest stays: %j', (typed, kept) => {
  expect(given(linesSearch.parse(typed))).toEqual(kept);
});

test('every list reads its own address', () => {
  const typed = { state: 'failed,pending', operation: 'delete', server, status: 'active' };
  const { status: _, ...kept } = typed;
  expect(given(addressOf(pushesList).parse(typed))).toEqual(kept);
  expect(given(syncSearch.parse(typed))).toEqual(kept);
  const orphans = syncSearch.parse({ ...typed, tab: 'orphans' });
  expect(given(orphans)).toEqual({ server, tab: 'orphans' });
  // The value is set to undefined, because the router keeps parameters that are not mentioned.
  expect(orphans).toHaveProperty('state', undefined);
  expect(orphans).toHaveProperty('operation', undefined);
});

test('a view is current only when its filters are exactly those of the address', () => {
  const view = (search: ListSearch) => currentView(linesList, search);
  expect(view({})).toBe('all');
  expect(view({ status: 'expired', q: 'anna' })).toBe('expired');
  expect(view({ trial: true, server })).toBe('trials');
  expect(view({ status: 'active', trial: true })).toBe('all');
  expect(view({ status: 'active,expired' })).toBe('all');
  expect(view({ status: 'suspended' })).toBe('all');
});

test('chips name each value that neither the search box nor the tab shows', () => {
  const chips = (search: ListSearch) =>
    chipsOf(linesList, search).map(({ filter, value }) => `${filter} ${value}`);
  expect(chips({ q: 'anna', status: 'active', server })).toEqual([`server ${server}`]);
  expect(chips({ status: 'active', trial: true })).toEqual(['status active', 'trial true']);
  expect(chips({ status: 'active,expired' })).toEqual(['status active', 'status expired']);
  expect(isFiltered(linesList, { sort: 'username', size: 50 })).toBe(false);
  expect(isFiltered(linesList, { q: 'anna' })).toBe(true);
});

test('taking a chip away leaves the other values of its filter', () => {
  const without = (search: ListSearch, filter: string, value: string) =>
    withoutValue(linesList, search, { filter, value });
  const status = { status: 'active,expired' };
  expect(without(status, 'status', 'active')).toEqual({ status: 'expired' });
  expect(without({ status: 'expired' }, 'status', 'expired')).toEqual({ status: undefined });
  expect(without({ trial: false }, 'trial', 'false')).toEqual({ trial: undefined });
  expect(isFiltered(linesList, { ...status, q: 'x', ...noFilters(linesList) })).toBe(false);
});

test('the filter text does not depend on page, size and order', () => {
  const text = filterText(linesList, { status: 'active,expired' });
  const page = { status: 'active,expired', cursor: 'next', size: 50, sort: 'username' } as const;
  expect(filterText(linesList, page)).toBe(text);
  expect(filterText(linesList, { status: 'active' })).not.toBe(text);
});

test('a column sorts up, down and then by default', () => {
  const next = (column: string, current?: string) => nextOrder(linesList, column, current);
  expect(next('username')).toBe('username');
  expect(next('username', 'username')).toBe('-username');
  expect(next('username', '-username')).toBeUndefined();
  expect(next('username', '-expiry_date')).toBe('username');
});

test('the list begins with what was added last, and that column has two orders only', () => {
  expect(orderOf(linesList, {})).toBe('-added_date');
  expect(orderOf(linesList, { sort: 'username' })).toBe('username');
  expect(nextOrder(linesList, 'added_date', undefined)).toBe('added_date');
  expect(nextOrder(linesList, 'added_date', 'added_date')).toBeUndefined();
});

test('a list whose own order is upwards turns round at the first press', () => {
  const next = (column: string, current?: string) => nextOrder(pushesList, column, current);
  expect(next('username')).toBe('-username');
  expect(next('username', '-username')).toBeUndefined();
  expect(next('next_try_at')).toBe('next_try_at');
  expect(next('next_try_at', 'next_try_at')).toBe('-next_try_at');
  expect(next('next_try_at', '-next_try_at')).toBeUndefined();
});

test('days and one account stand in the address as in the query', () => {
  const typed = {
    kind: 'sale,gone',
    account: `${server},${other}`,
    from: '2026-02-30',
    to: '2026-03-01',
  };
  const read = addressOf(transfersList).parse(typed);
  expect(given(read)).toEqual({ kind: 'sale', account: server, to: '2026-03-01' });
  expect(listTransfers.query.parse(asSent(listQuery(transfersList, read)))).toMatchObject({
    kind: ['sale'],
    account_id: server,
    to: '2026-03-01',
  });
});

test('a view keeps which lines and their order, not the page', () => {
  const kept = { q: 'anna', status: 'active,expired', trial: false, sort: 'username' } as const;
  const search = viewOf(linesList, { ...kept, cursor: 'next', size: 50 });
  expect(search).toEqual({ ...kept, trial: 'false' });
  expect(given(searchOfView(linesList, { name: 'Anna', search }))).toEqual(kept);
  const old = { name: 'Old', search: { status: 'gone', sort: '-expiry_date' } };
  expect(given(searchOfView(linesList, old))).toEqual({ sort: '-expiry_date' });
});

test('a saved view is current whatever the page and the order its parts are named in', () => {
  const view = { name: 'Tests', search: { trial: 'true', status: 'expired,active' } };
  const shown = { status: 'active,expired', trial: true, cursor: 'next', size: 50 } as const;
  const current = (search: ListSearch, ...saved: (typeof view)[]) =>
    currentSavedView(linesList, saved, search);
  expect(current(shown, { name: 'All', search: {} as typeof view.search }, view)).toBe(view);
  expect(current({ ...shown, q: 'anna' }, view)).toBeUndefined();
});
