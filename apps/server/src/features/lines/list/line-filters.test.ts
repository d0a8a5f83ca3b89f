import { STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import { addDays } from '@linekeeper/contract/dates.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jobEnd, requestBulk } from '../../../testing/jobs.ts';
import { storeLines } from '../../../testing/lines.ts';
import { holdPushes } from '../../../testing/loops.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';

const label = (name: string) => JSON.stringify([{ label: name, color: 'info' }]);
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

describe.each(databases)('filters with several values on %s', (kind) => {
  let panel: TestPanel;
  let seller: TestAccount;
  let other: TestAccount;
  const servers: Record<string, string> = {};

  async function addServer(server_name: string): Promise<string> {
    const { body } = await panel.admin.post('/api/servers', {
      server_name,
      host_ip: '10.1.2.3',
      port: 12000,
      username: 'panel',
      password: 'secret',
    });
    servers[server_name] = body.server.id;
    return body.server.id;
  }

  beforeAll(async () => {
    panel = await startTestPanel(kind);
    const { db } = panel.services;
    const today = panel.services.today();
    seller = await panel.reseller({ credits: 0 });
    other = await panel.reseller({ credits: 0 });
    const [one, two, three] = [
      await addServer('One'),
      await addServer('Two'),
      await addServer('3'),
    ];
    await storeLines(db, seller.id, one, [
      { username: 'active-1' },
      { username: 'past-1', expiry_date: addDays(today, -1) },
      // The line is expired by date and by label, and must be found only once.
      { username: 'past-labelled', expiry_date: addDays(today, -1), status: label('expired') },
      { username: 'suspended-1', status: label('suspended') },
    ]);
    await storeLines(db, seller.id, two, [
      { username: 'inactive-2', status: label('inactive') },
      { username: 'trial-2', is_trial: true },
    ]);
    await storeLines(db, seller.id, three, [{ username: 'vip-3', status: label('vip') }]);
    await storeLines(db, other.id, one, [{ username: 'foreign', status: label('suspended') }]);
    await holdPushes(db);
  });
  afterAll(() => panel?.stop());

  async function names(query: string, client = seller.client): Promise<string[]> {
    const { status, body } = await client.get(`/api/lines?sort=username&${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    const found = body.items.map(({ username }: { username: string }) => username);
    expect(body.total).toBe(found.length);
    return found;
  }

  test.each([
    ['status=active', ['active-1', 'trial-2']],
    ['status=active,expired', ['active-1', 'past-1', 'past-labelled', 'trial-2']],
    ['status=expired,expired', ['past-1', 'past-labelled']],
    ['status=suspended,inactive', ['inactive-2', 'suspended-1']],
    ['status=active,suspended&is_trial=false', ['active-1', 'suspended-1']],
    [
      'status=active,expired,inactive,suspended',
      ['active-1', 'inactive-2', 'past-1', 'past-labelled', 'suspended-1', 'trial-2'],
    ],
    ['sync_state=pending,failed', []],
    ['sync_state=failed,synced&status=inactive', ['inactive-2']],
  ])('%s means one or the other', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test('servers and owners may be several too', async () => {
    const { Two, 3: three } = servers;
    expect(await names(`server_id=${Two},${three}`)).toEqual(['inactive-2', 'trial-2', 'vip-3']);
    expect(await names(`server_id=${three},${UNKNOWN}`)).toEqual(['vip-3']);
    const owners = `owner_id=${seller.id},${other.id}&status=suspended`;
    expect(await names(owners, panel.admin)).toEqual(['foreign', 'suspended-1']);
    // A filter with the id of another account does not show that account's lines.
    expect(await names(owners)).toEqual(['suspended-1']);
  });

  test.each([
    ['status=gone', 'status', 'Invalid value'],
    ['status=active,gone', 'status', 'Invalid value'],
    ['status=', 'status', 'Invalid value'],
    ['status=active,', 'status', 'Invalid value'],
    ['status=%20active', 'status', 'Invalid value'],
    ['status=Active', 'status', 'Invalid value'],
    ['status=suspended&status=expired', 'status', 'Invalid value'],
    ['sync_state=lost', 'sync_state', 'Invalid value'],
    ['server_id=', 'server_id', 'Invalid server ID'],
    [`server_id=${UNKNOWN},frankfurt`, 'server_id', 'Invalid server ID'],
    ['owner_id=7', 'owner_id', 'Invalid user ID'],
    [
      `server_id=${Array.from({ length: 21 }, (_, n) => UNKNOWN.slice(0, -2) + (10 + n)).join()}`,
      'server_id',
      'At most 20 values',
    ],
  ])('%s is refused in words', async (query, field, words) => {
    for (const path of ['/api/lines', '/api/lines/csv']) {
      const { status, body } = await seller.client.get(`${path}?${query}`);
      expect([path, status, body.fields]).toEqual([path, 422, { [field]: words }]);
    }
  });

  test('the panel of filters is told how many lines have each value', async () => {
    const { status, body } = await seller.client.get('/api/lines/counts/choices');
    expect(status).toBe(200);
    const { One, Two, 3: three } = servers as Record<'One' | 'Two' | '3', string>;
    expect(body).toEqual({
      status: { active: 2, expired: 2, inactive: 1, suspended: 1 },
      sync_state: { failed: 0, pending: 0 },
      is_trial: { true: 1 },
      has_long_name: { true: 0 },
      presence: { online: 0 },
      server_id: { [One]: 4, [Two]: 2, [three]: 1 },
      plan_id: { [STANDARD_PLAN]: 7 },
    });
    const all = (await panel.admin.get('/api/lines/counts/choices')).body;
    expect(all.server_id).toEqual({ [One]: 5, [Two]: 2, [three]: 1 });
    expect(all.status.suspended).toBe(2);
  });

  async function notes(): Promise<Record<string, string | null>> {
    const rows = await panel.services.db
      .selectFrom('users')
      .select(['username', 'notes'])
      .execute();
    return Object.fromEntries(rows.map(({ username, notes }) => [username, notes]));
  }

  test.each([
    ['an array', { status: ['suspended', 'expired'] }, ['past-1', 'past-labelled', 'suspended-1']],
    ['text with commas', { status: 'inactive,suspended' }, ['inactive-2', 'suspended-1']],
    ['one value as before', { status: 'inactive' }, ['inactive-2']],
  ])('bulk work takes %s and touches exactly those lines', async (word, filter, expected) => {
    const { status, body } = await requestBulk(seller.client, {
      action: 'edit',
      notes: word,
      filter,
    });
    expect(status, JSON.stringify(body)).toBe(200);
    await jobEnd(seller.client, body.job.id);
    const changed = Object.entries(await notes()).filter(([, text]) => text === word);
    expect(changed.map(([name]) => name).sort()).toEqual(expected);
  });

  test.each([
    ['an unknown one', { status: ['active', 'gone'] }],
    ['an empty one', { status: '' }],
    ['none', { status: [] }],
    ['a number', { server_id: [7] }],
  ])('bulk work with %s among its values is refused and touches nothing', async (_, filter) => {
    const before = await notes();
    const { status, body } = await requestBulk(seller.client, {
      action: 'edit',
      notes: 'never',
      filter,
    });
    expect(status).toBe(422);
    expect(Object.keys(body.fields)[0]).toMatch(/^filter\.(status|server_id)/);
    expect(await notes()).toEqual(before);
  });
});
