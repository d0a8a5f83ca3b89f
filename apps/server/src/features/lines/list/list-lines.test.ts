import { addDays } from '@linekeeper/contract/dates.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestClient } from '../../../testing/client.ts';
import { storeLines } from '../../../testing/lines.ts';
import { holdPushes } from '../../../testing/loops.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';

async function addIdleServer(panel: TestPanel, server_name: string): Promise<string> {
  const { body } = await panel.admin.post('/api/servers', {
    server_name,
    host_ip: '10.1.2.3',
    port: 12000,
    username: 'panel',
    password: 'secret',
  });
  return body.server.id;
}

async function names(client: TestClient, query = ''): Promise<string[]> {
  const { status, body } = await client.get(`/api/lines?limit=100&${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.items.map(({ username }: { username: string }) => username);
}
const found = async (client: TestClient, q: string) =>
  (await names(client, `sort=username&q=${encodeURIComponent(q)}`)).join(' ');

describe.each(databases)('search on %s', (kind) => {
  let panel: TestPanel;
  let seller: TestAccount;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
    seller = await panel.reseller({ credits: 0 });
    await storeLines(panel.services.db, seller.id, await addIdleServer(panel, 'S'), [
      { username: 'anna', name: 'Jürgen Müller' },
      { username: 'bolek', company: 'Żółw i Ćma' },
      { username: 'carlos', email: 'joao@exemplo.pt', notes: 'São Tomé' },
      { username: '100%_sure', notes: 'a\\b' },
      { username: '100x_sure' },
      { username: 'straße', name: 'Weiß' },
      { username: 'dora', user_value: 'Karte 7B', notes: 'Tel. +48 (600) 100-200, dann 5' },
      { username: 'emil', info: 'Parabolantenne', name: '600100 777' },
      { username: 'greta', user_value: 'UV-77883', notes: 'Łó 55 667' },
      { username: 'hanna', user_value: 'AB 12-34', notes: 'uv 1, 77883' },
      { username: 'fritz', live_channel: 'TVP Sport', company: '12.05.1999', notes: '600100200' },
    ]);
  });
  afterAll(() => panel?.stop());

  test.each([
    ['muller', 'anna'],
    ['MÜLLER', 'anna'],
    ['zolw', 'bolek'],
    ['żółw', 'bolek'],
    ['cma', 'bolek'],
    ['sao tome', 'carlos'],
    ['JOAO@', 'carlos'],
    ['strasse', 'straße'],
    ['olek', 'bolek'],
    ['karte 7b', 'dora'],
    ['parabol', 'emil'],
    ['tvp sport', 'fritz'],
    // The search does not read words with which every line begins.
    ['info', ''],
    ['600100200', 'dora fritz'],
    ['600 100 200', 'dora fritz'],
    ['+48 600-100-200', 'dora'],
    ['600100777', 'emil'],
    ['UV 7788 3', 'greta'],
    ['uv77883', 'greta'],
    ['UV-77883', 'greta'],
    ['AB1234', 'hanna'],
    ['ab-12 34', 'hanna'],
    ['lo55667', 'greta'],
    ['vu77883', ''],
    ['12/05/1999', 'fritz'],
    // The digits of two fields are not joined to one number.
    ['2005', ''],
    ['nobody at all', ''],
    ["' or true --", ''],
  ])('%j finds %j', async (q, expected) => {
    expect(await found(seller.client, q)).toBe(expected);
  });

  test.each([
    ['100%', '100%_sure'],
    ['%_s', '100%_sure'],
    ['x_s', '100x_sure'],
    ['a\\b', '100%_sure'],
    ['%%%', ''],
    ['___', ''],
    ['\\\\\\', ''],
    ['100％', '100%_sure'],
    ['％％％', ''],
  ])('%j is taken literally and finds %j', async (q, expected) => {
    expect(await found(seller.client, q)).toBe(expected);
  });

  test.each([
    ['an', 'anna'],
    ['nn', ''],
    ['10', '100%_sure 100x_sure'],
    ['b', 'bolek'],
    ['%', ''],
    ['_', ''],
    ['ż', ''],
    ['  an  ', 'anna'],
    ['', '100%_sure 100x_sure anna bolek carlos dora emil fritz greta hanna straße'],
  ])('%j, shorter than three letters, finds usernames that begin so: %j', async (q, expected) => {
    expect(await found(seller.client, q)).toBe(expected);
  });
});

describe('filters', () => {
  let panel: TestPanel;
  let seller: TestAccount;
  let servers: string[];
  const status = (label: string) => JSON.stringify([{ label, color: 'info' }]);
  beforeAll(async () => {
    panel = await startTestPanel();
    seller = await panel.reseller();
    const { db } = panel.services;
    const today = panel.services.today();
    servers = [await addIdleServer(panel, 'One'), await addIdleServer(panel, 'Two')];
    const [one = '', two = ''] = servers;
    await storeLines(db, seller.id, one, [
      { username: 'ends-today', expiry_date: today },
      { username: 'ended', expiry_date: addDays(today, -1) },
      { username: 'in-7', expiry_date: addDays(today, 7) },
      { username: 'in-8', expiry_date: addDays(today, 8), is_trial: true },
      { username: 'marked-expired', status: status('Expired') },
      { username: 'resting', status: status('Inactive') },
      { username: 'banished', status: status('Suspended') },
    ]);
    const [waiting, refused] = await storeLines(db, seller.id, two, [
      { username: 'waiting' },
      { username: 'refused' },
    ]);
    await db
      .insertInto('server_accounts')
      .values([
        {
          server_id: two,
          username: 'waiting',
          of_line: waiting,
          operation: 'add',
        },
        {
          server_id: two,
          username: 'refused',
          of_line: refused,
          operation: 'add',
          last_finding: JSON.stringify({
            code: 'PUSH_REFUSED',
            data: { operation: 'add', words: 'no' },
          }),
          attempts: 3,
        },
      ])
      .execute();
    // No push is delivered during this test.
    await holdPushes(db);
  });
  afterAll(() => panel?.stop());

  test.each([
    ['status=active', 'ends-today in-7 in-8 refused waiting'],
    ['status=expired', 'ended marked-expired'],
    ['status=inactive', 'resting'],
    ['status=suspended', 'banished'],
    ['is_trial=true', 'in-8'],
    ['is_trial=false&status=active', 'ends-today in-7 refused waiting'],
    ['expires_within=0', 'ends-today'],
    ['expires_within=7', 'ends-today in-7'],
    ['expires_within=8', 'ends-today in-7 in-8'],
    ['expired_for=0', 'ended'],
    ['expired_for=1', ''],
    ['expired_for=0&status=active', ''],
    ['expired_for=36500', ''],
    ['sync_state=pending', 'waiting'],
    ['sync_state=failed', 'refused'],
    ['sync_state=synced&status=active', 'ends-today in-7 in-8'],
    ['q=in-&is_trial=true', 'in-8'],
  ])('%s shows %s', async (query, expected) => {
    expect((await names(seller.client, `sort=username&${query}`)).join(' ')).toBe(expected);
  });

  test('server and owner', async () => {
    expect(await names(seller.client, `server_id=${servers[1]}&sort=username`)).toEqual([
      'refused',
      'waiting',
    ]);
    expect(await names(seller.client, `owner_id=${seller.id}`)).toHaveLength(9);
    expect(await names(panel.admin, `owner_id=${crypto.randomUUID()}`)).toEqual([]);
  });

  test('the counts of the tabs say what each filter shows', async () => {
    const { body } = await seller.client.get('/api/lines/counts');
    expect(body).toEqual({
      has_below: false,
      all: 9,
      active: 5,
      expiring: 2,
      expired: 2,
      trials: 1,
      not_synced: 1,
      long_names: 0,
      online: 0,
      never_connected: 0,
    });
  });

  test.each([
    'status=paused',
    'status=active&status=expired',
    'server_id=1',
    'owner_id=me',
    'is_trial=1',
    'expires_within=-1',
    'expires_within=1.5',
    'expires_within=1e9',
    'expired_for=-1',
    'expired_for=1.5',
    'expired_for=36501',
    'sync_state=lost',
    'q=a%00b',
    `q=${'x'.repeat(101)}`,
  ])('%s is refused', async (query) => {
    expect(await seller.client.get(`/api/lines?${query}`)).toMatchObject({
      status: 422,
      body: { fields: { [query.split('=')[0] ?? '']: expect.any(String) } },
    });
  });
});
