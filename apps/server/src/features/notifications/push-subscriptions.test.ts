import { randomBytes } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Panel } from '../../commands/panel.ts';
import { transact } from '../../db/transaction.ts';
import { type Notice, notify } from '../../domain/notices/notify.ts';
import { TestClient } from '../../testing/client.ts';
import { dumpText } from '../../testing/database/dump.ts';
import { eventually } from '../../testing/eventually.ts';
import {
  startSecondPanel,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';
import {
  type PushService,
  readVapid,
  startPushService,
} from '../../testing/web-push/push-service.ts';

const PATH = '/api/me/push';

let panel: TestPanel;
let other: Panel;
let service: PushService;
beforeAll(async () => {
  service = await startPushService();
  panel = await startTestPanel('postgres', { PUBLIC_URL: 'http://panel.example' });
  other = await startSecondPanel(panel);
  other.services.outbound.permitsToOthers = panel.services.outbound.permits;
});
afterEach(() => service.answers(() => 201));

const turnOn = async ({ client }: Pick<TestAccount, 'client'>) => {
  const subscription = service.subscription();
  const { status, body } = await client.post(PATH, subscription);
  expect(status).toBe(200);
  return { ...subscription, id: body.id as string };
};
const signedInAgain = async ({ email, password }: TestAccount) => {
  const client = new TestClient(panel.url);
  await client.signIn(email, password);
  return client;
};
const listed = async (client: TestClient) => (await client.get(PATH)).body.subscriptions;
const low = (account_id: string, credits = 4) =>
  tell({
    event: 'low_balance',
    facts: { credits, low_balance: 5 },
    account_id,
    link: '/payments/top-ups',
  });
const tell = (notice: Notice) => transact(panel.services.db, (tx) => notify(tx, [notice]));
/** The number of messages that wait. */
const waiting = async () =>
  (await panel.services.db.selectFrom('web_pushes').selectAll().execute()).length;
const nothingWaits = () => eventually(async () => expect(await waiting()).toBe(0));
/** Makes what waits for its next attempt due now. */
const retryNow = () =>
  panel.services.db
    .updateTable('web_pushes')
    .set({ next_try_at: new Date(0) })
    .execute();

describe('notifications on a device', () => {
  test('are off until they are turned on, and again after they are turned off', async () => {
    const seller = await panel.reseller();
    await low(seller.id);
    expect(await waiting()).toBe(0);
    expect((await seller.client.get(PATH)).body).toEqual({
      public_key: expect.stringMatching(/^[\w-]{87}$/),
      subscriptions: [],
      kinds: expect.arrayContaining(['low_balance', 'server_error', 'ticket_replies', 'top_ups']),
    });
    const { endpoint } = await turnOn(seller);
    await low(seller.id);
    await eventually(() => expect(service.titlesAt(endpoint)).toHaveLength(1));
    expect((await seller.client.delete(PATH)).body).toEqual({ success: true });
    expect(await listed(seller.client)).toEqual([]);
    await low(seller.id);
    expect(await waiting()).toBe(0);
  });

  test('are the title of the notice in the language of the account, encrypted and signed by the panel', async () => {
    const seller = await panel.reseller();
    await seller.client.patch('/api/me/settings', { language: 'de' });
    const { endpoint } = await turnOn(seller);
    await low(seller.id, 3);
    await eventually(() => expect(service.titlesAt(endpoint)).toHaveLength(1));
    const { headers, message } = service.received.at(-1) ?? expect.fail();
    const notice = (await seller.client.get('/api/notifications')).body.items[0];
    expect(message).toEqual({ id: notice.id, title: notice.title, link: '/payments/top-ups' });
    expect(notice.title).toMatch(/Guthaben/);
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400' });
    const { key, aud, sub } = readVapid(headers.authorization);
    const { public_key } = (await seller.client.get(PATH)).body;
    expect([key, aud, sub]).toEqual([
      public_key,
      new URL(endpoint).origin,
      'https://panel.example/',
    ]);
  });

  test('come once for each notice, whichever panel sends them', async () => {
    const seller = await panel.reseller();
    const { endpoint } = await turnOn(seller);
    for (let number = 1; number <= 20; number += 1) {
      const { db } = (number % 2 ? panel : other).services;
      const facts = { credits: number, low_balance: 50 };
      const about = { account_id: seller.id, link: '/credits' };
      await transact(db, (tx) => notify(tx, [{ event: 'low_balance', facts, ...about }]));
    }
    await eventually(() => expect(service.titlesAt(endpoint)).toHaveLength(20));
    await nothingWaits();
    const ids = service.received.filter(({ path }) => endpoint.endsWith(path));
    expect(new Set(ids.map(({ message }) => message.id)).size).toBe(20);
  });

  test('are of the kinds that the account has left on, and of no kind that is never pushed', async () => {
    const seller = await panel.reseller();
    await turnOn(seller);
    const { body } = await seller.client.patch('/api/me/settings', {
      pushes: { low_balance: false },
    });
    expect(body.pushes).toMatchObject({ low_balance: false, top_ups: true });
    expect((await seller.client.get(PATH)).body.kinds).not.toContain('low_balance');
    await low(seller.id);
    await tell({
      event: 'new_account',
      facts: { email: 'new@panel.example' },
      account_id: seller.id,
      link: '/accounts',
    });
    expect(await waiting()).toBe(0);
  });

  test('tell of a server that is down, whose mail goes to administrators only', async () => {
    const seller = await panel.reseller();
    const { endpoint } = await turnOn(seller);
    await tell({
      event: 'lines_away',
      facts: { name: 'Frankfurt 1', lines: 3 },
      account_id: seller.id,
      link: '/users/all',
    });
    await eventually(() => expect(service.titlesAt(endpoint)[0]).toContain('Frankfurt 1'));
  });
});

describe('a push service', () => {
  test('that fails is asked again, until it has the message', async () => {
    const seller = await panel.reseller();
    const { endpoint } = await turnOn(seller);
    let asked = 0;
    service.answers(() => {
      asked += 1;
      return asked === 1 ? 503 : asked === 2 ? 307 : 201;
    });
    await low(seller.id);
    for (const number of [1, 2]) {
      await eventually(() => expect(asked).toBe(number));
      await eventually(async () => {
        await retryNow();
        expect(asked).toBeGreaterThan(number);
      });
    }
    await eventually(() => expect(service.titlesAt(endpoint)).toHaveLength(1));
    await nothingWaits();
  });

  test.each([404, 410])('that answers %i ends the subscription', async (status) => {
    const seller = await panel.reseller();
    await turnOn(seller);
    service.answers(() => status);
    await low(seller.id);
    await eventually(async () => expect(await listed(seller.client)).toEqual([]));
    expect(await waiting()).toBe(0);
  });

  test('that never takes a message does not keep it waiting for ever', async () => {
    const seller = await panel.reseller();
    await turnOn(seller);
    let asked = 0;
    service.answers(() => {
      asked += 1;
      return 500;
    });
    await low(seller.id);
    await eventually(() => expect(asked).toBe(1));
    await panel.services.db.updateTable('web_pushes').set({ attempts: 12 }).execute();
    await eventually(async () => {
      await retryNow();
      expect(await waiting()).toBe(0);
    });
    expect(asked).toBe(2);
    expect(await listed(seller.client)).toHaveLength(1);
  });

  test('is at a public address, also while card servers of this machine are permitted', async () => {
    const { outbound } = panel.services;
    delete outbound.permitsToOthers;
    const { status, body } = await panel.admin.post(PATH, service.subscription());
    outbound.permitsToOthers = outbound.permits;
    expect([status, Object.keys(body.fields)]).toEqual([422, ['endpoint']]);
  });

  test.each([
    ['at an inside address', 'https://10.0.0.8/push', 'PUSH_SERVICE_UNREACHABLE'],
    ['at a metadata service', 'https://169.254.169.254/latest', 'PUSH_SERVICE_UNREACHABLE'],
    ['whose name is unknown', 'https://push.invalid/x', 'PUSH_SERVICE_UNREACHABLE'],
    ['without TLS', 'http://127.0.0.1/push', 'INVALID_VALUE'],
    ['that is a file', 'file:///etc/passwd', 'INVALID_VALUE'],
  ])('%s is refused', async (_, endpoint, code) => {
    const seller = await panel.reseller();
    const { keys } = service.subscription();
    const { status, body } = await seller.client.post(PATH, { endpoint, keys });
    expect([status, body.data.field_codes]).toEqual([422, { endpoint: code }]);
    expect(await listed(seller.client)).toEqual([]);
  });

  test('with a key that is no point of the curve is refused', async () => {
    const seller = await panel.reseller();
    const { endpoint, keys } = service.subscription();
    const p256dh = Buffer.concat([Buffer.of(4), randomBytes(64)]).toString('base64url');
    const { body } = await seller.client.post(PATH, { endpoint, keys: { ...keys, p256dh } });
    expect(body.data.field_codes).toEqual({ 'keys.p256dh': 'INVALID_VALUE' });
  });
});

describe('a subscription', () => {
  test('of another account is neither seen nor ended', async () => {
    const [seller, stranger] = [await panel.reseller(), await panel.reseller()];
    const { id } = await turnOn(seller);
    expect(await listed(stranger.client)).toEqual([]);
    await stranger.client.delete(`${PATH}?id=${id}`);
    await stranger.client.delete(PATH);
    expect(await listed(seller.client)).toMatchObject([{ id, is_current: true }]);
  });

  test('is listed with its browser, and another device can end it', async () => {
    const seller = await panel.reseller();
    await turnOn(seller);
    const phone = await signedInAgain(seller);
    const { id } = await turnOn({ client: phone });
    const [newest, first] = await listed(seller.client);
    expect([newest.id, newest.is_current, first.is_current]).toEqual([id, false, true]);
    expect(Object.keys(newest).sort()).toEqual([
      'browser',
      'created_at',
      'id',
      'is_current',
      'system',
    ]);
    await seller.client.delete(`${PATH}?id=${id}`);
    expect(await listed(phone)).toMatchObject([{ id: first.id, is_current: false }]);
  });

  test('is of the account that is signed in there now, and once for each session', async () => {
    const [before, now] = [await panel.reseller(), await panel.reseller()];
    const subscription = await turnOn(before);
    const { id, ...same } = subscription;
    expect((await before.client.post(PATH, same)).status).toBe(200);
    expect(await listed(before.client)).toHaveLength(1);
    expect((await now.client.post(PATH, same)).status).toBe(200);
    expect([await listed(before.client), await listed(now.client)]).toMatchObject([[], [{}]]);
    // The address of its push service alone takes nothing away.
    const { keys } = service.subscription();
    await before.client.post(PATH, { endpoint: same.endpoint, keys });
    expect(await listed(now.client)).toHaveLength(1);
  });

  test('is one of ten, also if more are turned on at the same time', async () => {
    const seller = await panel.reseller();
    const clients = [seller.client];
    while (clients.length < 12) clients.push(await signedInAgain(seller));
    const replies = await Promise.all(
      clients.map((client) => client.post(PATH, service.subscription())),
    );
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused.map(({ body }) => [body.code, body.data.maximum])).toEqual([
      ['TOO_MANY_PUSH_SUBSCRIPTIONS', 10],
      ['TOO_MANY_PUSH_SUBSCRIPTIONS', 10],
    ]);
    expect(await listed(seller.client)).toHaveLength(10);
  });

  const ends: [string, (seller: TestAccount) => Promise<unknown>][] = [
    ['a sign-out', ({ client }) => client.post('/api/auth/sign-out')],
    [
      'a sign-out from another browser',
      async (seller) => (await signedInAgain(seller)).delete('/api/auth/sessions'),
    ],
    ['a ban', ({ id }) => panel.admin.post(`/api/accounts/${id}/ban`)],
  ];
  test.each(ends)('ends with %s, with what waits', async (_, end) => {
    const seller = await panel.reseller({ credits: 0 });
    const { id } = await turnOn(seller);
    service.answers(() => 500);
    await low(seller.id);
    expect(await waiting()).toBe(1);
    expect((await end(seller)) ?? {}).toMatchObject({ status: 200 });
    const kept = await panel.services.db
      .selectFrom('push_subscriptions')
      .select('id')
      .where('id', '=', id)
      .execute();
    expect([kept, await waiting()]).toEqual([[], 0]);
  });

  test('gets nothing after its session has expired', async () => {
    const seller = await panel.reseller();
    const { id } = await turnOn(seller);
    const { db } = panel.services;
    await db
      .updateTable('auth_sessions')
      .set({ expires_at: new Date(0) })
      .where('user_id', '=', seller.id)
      .execute();
    await low(seller.id);
    expect(await waiting()).toBe(0);
    const client = await signedInAgain(seller);
    await turnOn({ client });
    expect(await listed(client)).not.toMatchObject([{ id }]);
  });

  test('cannot be made with an API key, and stands nowhere in plain text', async () => {
    const seller = await panel.reseller();
    const { body } = await seller.client.post('/api/auth/api-keys', { name: 'Script' });
    const script = panel.anonymous();
    script.apiKey = body.key;
    expect((await script.post(PATH, service.subscription())).status).toBe(403);
    const { endpoint, keys } = await turnOn(seller);
    const stored = await dumpText(panel.services.db);
    for (const secret of [new URL(endpoint).pathname, keys.auth, keys.p256dh]) {
      expect(stored).not.toContain(secret);
    }
  });
});
