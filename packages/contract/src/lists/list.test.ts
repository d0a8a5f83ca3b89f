import { expect, test } from 'vitest';
import { listTransfers } from '../credits/transfers.ts';
import { bulkRequest } from '../lines/bulk.ts';
import { listLines } from '../lines/lines.ts';
import { listServers } from '../servers/servers.ts';
import * as declared from './lists.ts';
import { defaultPreferences, listNames, preferences } from './preferences.ts';

const { lists } = declared;

const messages = (query: object) =>
  listLines.query.safeParse(query).error?.issues.map(({ path, message }) => [path, message]);

test('a query names several values once, separated by commas', () => {
  const read = (status: unknown) => listLines.query.parse({ status }).status;
  expect(read('active')).toEqual(['active']);
  expect(read('active,expired,active')).toEqual(['active', 'expired']);
  for (const status of ['', 'gone', 'active,', ',active', 'active, expired', ['active'], 7]) {
    expect([status, messages({ status })]).toEqual([status, [[['status'], 'INVALID_VALUE']]]);
  }
  expect(messages({ server_id: 'frankfurt' })).toEqual([[['server_id'], 'INVALID_SERVER_ID']]);
});

test('a body may give an array as well', () => {
  const read = (status: unknown) => {
    const request = bulkRequest.parse({ action: 'delete', filter: { status } });
    return request.action === 'import' ? undefined : request.filter?.status;
  };
  expect(read('active,expired')).toEqual(['active', 'expired']);
  expect(read(['active', 'expired'])).toEqual(['active', 'expired']);
  for (const status of ['', [], ['gone'], [''], ['active', 7], { 0: 'active' }]) {
    expect(() => read(status)).toThrow();
  }
});

test('a list keeps its preferences under the name it is declared with, and begins with sound ones', () => {
  expect(listNames).toEqual(lists.map(({ name }) => name));
  const isList = (value: object) => 'defaultSort' in value;
  expect(new Set<object>(lists)).toEqual(new Set(Object.values(declared).filter(isList)));
  expect(preferences.parse(defaultPreferences)).toEqual(defaultPreferences);
});

test.each(lists)('$name declares nothing twice and shows what it has', (list) => {
  const fields = Object.values(list.filters).map(({ field }) => field as string);
  expect(new Set(fields).size).toBe(fields.length);
  expect(list.columns).toEqual(expect.arrayContaining([...list.shownColumns]));
  const filters = Object.keys(list.filters);
  for (const view of Object.values(list.views)) {
    expect(filters).toEqual(expect.arrayContaining(Object.keys(view)));
  }
});

test('servers and movements of credits are filtered by several values, by one account and by days', () => {
  expect(listServers.query.parse({ status: 'active,error' }).status).toEqual(['active', 'error']);
  const account_id = '0b8f0c1e-6a55-4c5e-9f0e-3a6f2d1c7b90';
  expect(
    listTransfers.query.parse({ kind: 'sale,renewal', account_id, from: '01-02-2026' }),
  ).toMatchObject({ kind: ['sale', 'renewal'], account_id, from: '2026-02-01' });
  const refused = { account_id: `${account_id},${account_id}` };
  expect(listTransfers.query.safeParse(refused).success).toBe(false);
  expect(listTransfers.query.safeParse({ to: '30-02-2026' }).success).toBe(false);
});
