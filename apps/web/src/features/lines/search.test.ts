import { listLines } from '@linekeeper/contract/lines.ts';
import { expect, test } from 'vitest';
import {
  chipNames,
  currentSavedView,
  currentView,
  isFiltered,
  listQuery,
  nextOrder,
  orderOf,
  searchOfView,
  viewOf,
} from './search.ts';

const server = '0b8f0c1e-6a55-4c5e-9f0e-3a6f2d1c7b90';

test('the address becomes a query that the API takes', () => {
  const query = listQuery({
    q: ' wohn ',
    status: 'active',
    server,
    expires: '7d',
    trial: false,
    sync: 'failed',
    sort: '-expiry_date',
    size: 50,
    cursor: 'next',
  });
  expect(listLines.query.parse(query)).toEqual({
    limit: 50,
    cursor: 'next',
    sort: '-expiry_date',
    q: 'wohn',
    status: 'active',
    server_id: server,
    is_trial: false,
    expires_within: 7,
    sync_state: 'failed',
  });
});

test('an empty address asks for 25 lines, and ids that are none are dropped', () => {
  const parsed = listLines.query.parse(listQuery({ server: 'frankfurt', owner: '7' }));
  expect(parsed).toEqual({ limit: 25, sort: '-added_date' });
});

test('a view is current only when its filters are exactly those of the address', () => {
  expect(currentView({}).name).toBe('all');
  expect(currentView({ status: 'expired', q: 'anna' }).name).toBe('expired');
  expect(currentView({ trial: true, server }).name).toBe('trials');
  expect(currentView({ status: 'active', trial: true }).name).toBe('all');
  expect(currentView({ status: 'suspended' }).name).toBe('all');
});

test('chips name what neither the search box nor the tab shows', () => {
  expect(chipNames({ q: 'anna', status: 'active', server })).toEqual(['server']);
  expect(chipNames({ status: 'active', trial: true })).toEqual(['status', 'trial']);
  expect(isFiltered({ sort: 'username', size: 50 })).toBe(false);
  expect(isFiltered({ q: 'anna' })).toBe(true);
});

test('a column sorts up, down and not at all', () => {
  expect(nextOrder('username', undefined)).toBe('username');
  expect(nextOrder('username', 'username')).toBe('-username');
  expect(nextOrder('username', '-username')).toBeUndefined();
  expect(nextOrder('username', '-expiry_date')).toBe('username');
});

test('the list begins with what was added last, and that column has two orders only', () => {
  expect(orderOf({})).toBe('-added_date');
  expect(orderOf({ sort: 'username' })).toBe('username');
  expect(nextOrder('added_date', undefined)).toBe('added_date');
  expect(nextOrder('added_date', 'added_date')).toBeUndefined();
});

test('a view keeps which lines and their order, not the page', () => {
  const address = { q: 'anna', trial: false, expires: '7d', sort: 'username' } as const;
  const search = viewOf({ ...address, cursor: 'next', size: 50 });
  expect(search).toEqual({ q: 'anna', trial: 'false', expires: '7d', sort: 'username' });
  expect(searchOfView({ name: 'Anna', search })).toEqual(address);
  expect(searchOfView({ name: 'Old', search: { status: 'gone', sort: '-expiry_date' } })).toEqual({
    sort: '-expiry_date',
  });
});

test('a saved view is current whatever the page and the order its parts are named in', () => {
  const view = { name: 'Tests', search: { trial: 'true', expires: '7d' } };
  const shown = { expires: '7d', trial: true, cursor: 'next', size: 50 } as const;
  expect(currentSavedView([{ name: 'All', search: {} }, view], shown)).toBe(view);
  expect(currentSavedView([view], { ...shown, q: 'anna' })).toBeUndefined();
});
