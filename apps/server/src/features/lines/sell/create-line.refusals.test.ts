import { addMonths, formatDay } from '@linekeeper/contract/dates.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestReply } from '../../../testing/client.ts';
import { countTraces } from '../../../testing/ledger/ledger.ts';
import { newLine } from '../../../testing/lines.ts';
import {
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';

let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let seller: TestAccount;
const unknownId = '01a1fd85-0000-7000-8000-000000000000';

beforeAll(async () => {
  agent = await startTestAgent();
  panel = await startTestPanel();
  seller = await panel.reseller({ credits: 7 });
});
afterAll(async () => {
  await panel?.stop();
  await agent?.close();
});

/** Sends a sale that must be refused and checks that it leaves no trace. */
async function refused(body: unknown, client = seller.client): Promise<TestReply> {
  const before = await countTraces(panel.services.db);
  const reply = await client.post('/api/lines', body);
  expect(await countTraces(panel.services.db)).toEqual(before);
  return reply;
}

test('without any active server nothing is sold', { tags: ['spec:4.5', 'spec:5.7'] }, async () => {
  expect(await refused(newLine('anna'))).toMatchObject({
    status: 409,
    body: { code: 'NO_ACTIVE_SERVERS', message: 'No active servers available' },
  });
});

describe('with a server', () => {
  let activeId: string;
  beforeAll(async () => {
    activeId = (await panel.addServer(agent.url)).id;
    await seller.client.post('/api/lines', newLine('taken'));
  });

  test.each([
    [newLine('', {}), 'Username and password are required', 'username'],
    [newLine('anna', { password: '' }), 'Username and password are required', 'password'],
    [{ subscription_months: 1 }, 'Username and password are required', 'username'],
    [
      newLine('two words'),
      'The username contains a character that card servers do not accept: space',
      'username',
    ],
    [
      newLine('anna', { password: 'pass#word' }),
      'The password contains a character that card servers do not accept: #',
      'password',
    ],
    [
      newLine('ż'.repeat(40)),
      'Too long for card servers: at most 63 bytes (accented letters count as two)',
      'username',
    ],
    [
      newLine('anna', { subscription_months: 2 }),
      'Choose a duration that is offered',
      'subscription_months',
    ],
    [
      newLine('anna', { subscription_months: 0 }),
      'Choose a duration that is offered',
      'subscription_months',
    ],
    [
      newLine('anna', { expiry_date: '2027-02-30' }),
      'Invalid expiry date format. Expected DD-MM-YYYY format.',
      'expiry_date',
    ],
    [
      newLine('anna', { expiry_date: '2099-01-01' }),
      'Only an administrator can set this field',
      'expiry_date',
    ],
    [
      newLine('anna', { owner_id: unknownId }),
      'Only an administrator can set this field',
      'owner_id',
    ],
    [newLine('anna', { owner_id: 'me' }), 'Invalid user ID', 'owner_id'],
    [newLine('anna', { server_id: '1 or 1=1' }), 'Invalid server ID', 'server_id'],
    [newLine('anna', { is_trial: true }), 'Choose a trial or a duration', 'subscription_months'],
    [
      newLine('anna', { avatar_url: 'http://a.example/a.png' }),
      'Some fields are wrong or missing',
      'avatar_url',
    ],
    [
      newLine('anna', { avatar_url: 'javascript:alert(1)' }),
      'Some fields are wrong or missing',
      'avatar_url',
    ],
  ])('%j is refused with "%s" at %s', { tags: ['spec:5.5'] }, async (body, message, field) => {
    const reply = await refused(body);
    expect(reply).toMatchObject({ status: 422, body: { message } });
    expect(Object.keys(reply.body.fields)).toContain(field);
  });

  test.each([
    ['name', 'a\0b'],
    ['notes', 'a\0b'],
    ['live_channel', 'a\0b'],
    ['protocol', 'a\0b'],
    ['host_port', ['a\0b:12000']],
    ['avatar_url', 'https://a.example/\0'],
    ['email', 'a\0b@example.com'],
    ['status', 'a\0b'],
  ])('a NUL in %s, which no database text can hold, is refused', async (field, value) => {
    const reply = await refused(newLine('anna', { [field]: value }));
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.fields)[0]).toMatch(new RegExp(`^${field}`));
  });

  test.each([
    ['username', '\u0301'],
    ['username', '\u20ddanna'],
    ['username', 'J\ufffdrgen'],
    ['name', '\u0301'],
    ['avatar_url', 'https://a.example/\u202egnp.a'],
  ])('a %s of %j, which would not show as what it is, is refused', async (field, value) => {
    const reply = await refused(newLine('anna', { [field]: value }));
    expect(reply).toMatchObject({
      status: 422,
      body: {
        code: 'HIDDEN_LETTERS',
        fields: { [field]: expect.stringMatching(/^Invisible characters/) },
      },
    });
  });

  test('a taken username is refused, also in someone else’s hands', {
    tags: ['spec:3.10', 'spec:5.6'],
  }, async () => {
    const { client } = await panel.reseller();
    for (const buyer of [seller.client, client]) {
      expect(await refused(newLine('taken'), buyer)).toMatchObject({
        status: 409,
        body: {
          code: 'USERNAME_EXISTS',
          message: 'Username already exists. Please choose a different username.',
        },
      });
    }
  });

  test('a price above the balance is refused with both numbers', {
    tags: ['spec:8.19'],
  }, async () => {
    expect(await refused(newLine('anna', { subscription_months: 12 }))).toMatchObject({
      status: 409,
      body: {
        code: 'INSUFFICIENT_CREDITS',
        message: 'Insufficient credits. Required: 10, Available: 5',
        data: { required: 10, available: 5 },
      },
    });
  });

  test('an unknown server is refused, and one that is not active', {
    tags: ['spec:4.5'],
  }, async () => {
    expect(await refused(newLine('anna', { server_id: unknownId }))).toMatchObject({
      status: 404,
      body: { message: 'Server not found' },
    });
    const { body } = await panel.admin.post('/api/servers', {
      server_name: 'New',
      host_ip: '127.0.0.1',
      port: 12000,
      username: 'panel',
      password: 'secret',
    });
    expect(await refused(newLine('anna', { server_id: body.server.id }))).toMatchObject({
      status: 409,
      body: { message: 'No active servers available' },
    });
    expect((await refused(newLine('taken', { server_id: activeId }))).status).toBe(409);
  });

  test('an owner whom nobody knows is refused', async () => {
    expect(await refused(newLine('anna', { owner_id: unknownId }), panel.admin)).toMatchObject({
      status: 404,
      body: { message: 'User not found' },
    });
  });

  test('group 3 sells nothing', { tags: ['spec:6.10'] }, async () => {
    const { client } = await panel.reseller({ credits: 0, group_id: '3' });
    expect(await refused(newLine('anna'), client)).toMatchObject({
      status: 403,
      body: { message: 'You do not have permission to do this' },
    });
  });

  test('a refused request leaves its key free for the same request later', async () => {
    const { client, id } = await panel.reseller({ credits: 1 });
    const key = { 'idempotency-key': 'refused-first' };
    const first = await client.post('/api/lines', newLine('later'), key);
    expect(first.body.message).toBe('Insufficient credits. Required: 2, Available: 1');
    await panel.admin.post(`/api/accounts/${id}/credits`, { amount: 5 });
    const second = await client.post('/api/lines', newLine('later'), key);
    expect(second).toMatchObject({ status: 201, body: { cost: 2, credits: 4 } });
    expect(second.headers.has('idempotency-replayed')).toBe(false);
  });
});

describe('an administrator', () => {
  let today: string;
  beforeEach(() => {
    today = panel.services.today();
  });

  test('may name an owner, who then has the line and pays nothing', async () => {
    const { client, id } = await panel.reseller({ credits: 3 });
    const reply = await panel.admin.post('/api/lines', newLine('gift', { owner_id: id }));
    expect(reply).toMatchObject({ status: 201, body: { cost: 0, line: { owner_id: id } } });
    expect((await client.get('/api/lines?q=gift')).body.items).toMatchObject([
      { username: 'gift' },
    ]);
    expect((await client.get('/api/me')).body.credits).toBe(3);
  });

  test.each([formatDay, (day: string) => day])(
    'may name an expiry date in either form',
    async (form) => {
      const day = addMonths(today, 5);
      const name = `until-${form(day)}`;
      const reply = await panel.admin.post(
        '/api/lines',
        newLine(name, { subscription_months: undefined, expiry_date: form(day) }),
      );
      expect(reply).toMatchObject({ status: 201, body: { cost: 0, line: { expiry_date: day } } });
    },
  );

  test('may name months outside of the price table', { tags: ['spec:9.6'] }, async () => {
    const reply = await panel.admin.post('/api/lines', newLine('odd', { subscription_months: 7 }));
    expect(reply).toMatchObject({
      status: 201,
      body: {
        cost: 0,
        line: { expiry_date: addMonths(today, 7), subscription_months: 7 },
      },
    });
  });
});

describe('the server of a new line', () => {
  test('is the newest active one, or the one that was named', { tags: ['spec:4.6'] }, async () => {
    const newest = await panel.addServer(agent.url, 'Newest');
    const { body } = await panel.admin.post('/api/lines', newLine('on-newest'));
    expect(body.line.server_id).toBe(newest.id);

    const { body: servers } = await panel.admin.get('/api/servers?sort=created_at&status=active');
    const oldest = servers.items[0].id;
    expect(oldest).not.toBe(newest.id);
    const named = await panel.admin.post('/api/lines', newLine('on-oldest', { server_id: oldest }));
    expect(named.body.line).toMatchObject({ server_id: oldest, host_port: ['127.0.0.1:12000'] });
  });
});
