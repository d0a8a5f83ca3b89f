import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DatabaseProxy, startDatabaseProxy } from '../testing/database-proxy.ts';
import { type EventStream, openEventStream } from '../testing/event-stream.ts';
import { newLine } from '../testing/lines.ts';
import {
  makeDatabase,
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../testing/panel.ts';

let panel: TestPanel;
let proxy: DatabaseProxy;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let database: Awaited<ReturnType<typeof makeDatabase>>;
let seller: TestAccount;
let stream: EventStream;
beforeAll(async () => {
  agent = await startTestAgent();
  database = await makeDatabase('postgres');
  proxy = await startDatabaseProxy(database.env.DATABASE_URL ?? '');
  panel = await startTestPanel('postgres', { ...database.env, DATABASE_URL: proxy.url });
  await panel.addServer(agent.url);
  seller = await panel.reseller();
  stream = await openEventStream(seller.client);
});
afterAll(async () => {
  await panel?.stop();
  await proxy?.goAway();
  await database?.remove();
  await agent?.close();
});

describe('while the database is away', () => {
  beforeAll(() => proxy.goAway());
  afterAll(() => proxy.comeBack());

  const quote = { action: 'create', subscription_months: 1 };
  const calls: [what: string, message: string, call: () => Promise<unknown>][] = [
    ['the list of lines', 'Failed to load user data', () => seller.client.get('/api/lines')],
    [
      'a sale',
      'Failed to deduct credits. Please try again.',
      () => seller.client.post('/api/lines', newLine('unlucky')),
    ],
    [
      'a quote',
      'Could not verify user credits. Please contact support.',
      () => seller.client.post('/api/lines/quote', quote),
    ],
    [
      'the own account',
      'Could not retrieve user data. Please check your connection and try again.',
      () => seller.client.get('/api/me'),
    ],
    [
      'signing in',
      'Could not retrieve user data. Please check your connection and try again.',
      () => panel.anonymous().signIn(seller.email, seller.password),
    ],
  ];
  test.each(calls)('%s says "%s"', async (_, message, call) => {
    expect(await call()).toMatchObject({ status: 503, body: { message, data: {} } });
  });

  test('the process lives, and says that it is not ready', async () => {
    expect((await panel.anonymous().get('/health')).status).toBe(200);
    expect(await panel.anonymous().get('/ready')).toMatchObject({
      status: 503,
      body: { status: 'unavailable', database: 'unreachable' },
    });
  });

  test('a stream of events is refused, not left hanging', async () => {
    expect((await seller.client.get('/api/events')).status).toBe(503);
  });
});

test('when it is back everything works again, and nothing was lost or paid twice', async () => {
  await expect
    .poll(async () => (await panel.anonymous().get('/ready')).status, { timeout: 10_000 })
    .toBe(200);
  const { body } = await seller.client.get('/api/lines');
  expect(body.items).toEqual([]);
  const reply = await seller.client.post('/api/lines', newLine('unlucky'));
  expect(reply).toMatchObject({ status: 201, body: { credits: 98, sync: { ok: true } } });
});

test('a stream that may have missed something is ended; the next one hears again', async () => {
  await expect.poll(stream.hasEnded, { timeout: 10_000 }).toBe(true);
  const next = await openEventStream(seller.client);
  const { body } = await seller.client.patch('/api/me', { full_name: 'Back again' });
  await next.hears({ table: 'auth_users', op: 'UPDATE', id: body.id });
  next.close();
});

test('a connection that was cut in the middle of a sale leaves all of it or none', async () => {
  const sales = Array.from({ length: 10 }, (_, index) =>
    seller.client.post('/api/lines', newLine(`cut-${index}`), {
      'idempotency-key': `cut-${index}`,
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, 15));
  await proxy.goAway();
  const first = await Promise.all(sales);
  await proxy.comeBack();
  expect(first.every(({ status }) => [201, 503].includes(status))).toBe(true);

  // Sent again with the same keys, each is sold once, whatever had become of it.
  for (let index = 0; index < 10; index++) {
    const again = await seller.client.post('/api/lines', newLine(`cut-${index}`), {
      'idempotency-key': `cut-${index}`,
    });
    expect(again.status, JSON.stringify(again.body)).toBe(201);
  }
  const me = (await seller.client.get('/api/me')).body;
  expect(me.credits).toBe(98 - 2 * 10);
  expect((await seller.client.get('/api/lines/counts')).body.all).toBe(11);
});
