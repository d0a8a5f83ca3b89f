// @module-tag thorough
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DatabaseProxy, startDatabaseProxy } from '../testing/database/database-proxy.ts';
import { eventually } from '../testing/eventually.ts';
import { newLine } from '../testing/lines.ts';
import {
  makeDatabase,
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../testing/panel.ts';
import { metricsOf } from '../testing/wire/metrics.ts';
import { type EventStream, openEventStream } from '../testing/wire/streams.ts';

let panel: TestPanel;
let proxy: DatabaseProxy;
let database: Awaited<ReturnType<typeof makeDatabase>>;
let seller: TestAccount;
let stream: EventStream;
beforeAll(async () => {
  const agent = await startTestAgent();
  database = await makeDatabase('postgres');
  proxy = await startDatabaseProxy(database.env.DATABASE_URL ?? '');
  panel = await startTestPanel('postgres', { ...database.env, DATABASE_URL: proxy.url });
  await panel.addServer(agent.url);
  seller = await panel.reseller();
  stream = await openEventStream(seller.client);
});
afterAll(() => proxy?.goAway());

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
  test.each(calls)(
    '%s says "%s"',
    { tags: ['spec:8.18', 'spec:8.20', 'spec:8.25', 'spec:8.26', 'spec:8.42'] },
    async (_, message, call) => {
      expect(await call()).toMatchObject({ status: 503, body: { message, data: {} } });
    },
  );

  test('the process lives, and says that it is not ready', async () => {
    expect((await panel.anonymous().get('/health')).status).toBe(200);
    expect(await panel.anonymous().get('/ready')).toMatchObject({
      status: 503,
      body: { status: 'unavailable', database: 'unreachable' },
    });
  });

  test('the figures of the process are still told, and that there is no database', async () => {
    const metrics = await metricsOf(panel.url);
    expect(metrics).toMatchObject({ linekeeper_database_up: 0, linekeeper_pushes_due: Number.NaN });
    expect(metrics.process_resident_memory_bytes).toBeGreaterThan(0);
  });

  test('a stream of events is refused, not left hanging', async () => {
    expect((await seller.client.get('/api/events')).status).toBe(503);
  });
});

test('when it is back everything works again, and nothing was lost or paid twice', async () => {
  await expect.poll(async () => (await panel.anonymous().get('/ready')).status).toBe(200);
  const { body } = await seller.client.get('/api/lines');
  expect(body.items).toEqual([]);
  const reply = await seller.client.post('/api/lines', newLine('unlucky'));
  expect(reply).toMatchObject({ status: 201, body: { credits: 98, sync: { ok: true } } });
});

test('a stream that may have missed something is ended; the next one hears again', async () => {
  await expect.poll(stream.hasEnded).toBe(true);
  // The stream is opened again after each end, as in browsers, until one stream receives the event.
  let next = await openEventStream(seller.client);
  await eventually(async () => {
    if (next.hasEnded()) next = await openEventStream(seller.client);
    const { body } = await seller.client.patch('/api/me', { full_name: crypto.randomUUID() });
    const heard = { table: 'auth_users', op: 'UPDATE', id: body.id };
    expect(next.events).toContainEqual(expect.objectContaining(heard));
  });
  next.close();
});

test('connections cut in the middle of sales leave each sold once or not at all', async () => {
  const { credits } = (await seller.client.get('/api/me')).body;
  const names = Array.from({ length: 30 }, (_, index) => `cut-${index}`);
  const sell = (name: string) =>
    seller.client.post('/api/lines', newLine(name), { 'idempotency-key': name });
  for (const part of [names.slice(0, 10), names.slice(10, 20), names.slice(20)]) {
    const sales = part.map(sell);
    await expect.poll(connectionsInUse, { interval: 1 }).toBeGreaterThan(5);
    await proxy.goAway();
    for (const { status, body } of await Promise.all(sales)) {
      expect([201, 503], JSON.stringify(body)).toContain(status);
    }
    await proxy.comeBack();
  }

  // A sale whose reply was lost counts as running for a while; this shortens the wait.
  await panel.services.db
    .updateTable('idempotency_keys')
    .set({ created_at: new Date(Date.now() - 60_000) })
    .where('reply', 'is', null)
    .execute();
  for (const reply of await Promise.all(names.map(sell))) {
    expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  }
  expect((await seller.client.get('/api/me')).body.credits).toBe(credits - 2 * names.length);
  const { body } = await seller.client.get('/api/lines?q=cut-');
  expect(body.total).toBe(names.length);
});

function connectionsInUse(): number {
  return panel.services.connection.poolState().in_use;
}
