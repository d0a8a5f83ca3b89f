// @module-tag thorough
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../../scripts/test-postgres.ts';
import type { TestClient, TestReply } from '../testing/client.ts';
import { eventually } from '../testing/eventually.ts';
import { ADMIN, startTestAgent } from '../testing/panel.ts';
import {
  endPanels,
  FIRST_START,
  openTestWorld,
  type PanelProcess,
  soldNames,
  spawnPanel,
  type TestWorld,
} from '../testing/process/process.ts';
import { metricsOf } from '../testing/wire/metrics.ts';
import { type EventStream, openEventStream } from '../testing/wire/streams.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Milliseconds after which an event that has not arrived was announced before the panel listened again. */
const SOON_MS = 5000;

let postgres: TestPostgres;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let panel: PanelProcess;
let world: TestWorld;
let seller: TestClient;
let stream: EventStream;
beforeAll(async () => {
  postgres = await startPostgres();
  agent = await startTestAgent();
  const SECRET_KEY = 'a secret key of the tests, long enough';
  panel = await spawnPanel({ DATABASE_URL: postgres.url(), SECRET_KEY, ...FIRST_START });
  world = await openTestWorld(panel.url, agent.url);
  seller = world.reseller.client;
  stream = await openEventStream(seller);
});
afterAll(async () => {
  postgres?.thaw();
  await endPanels();
  await agent?.close();
  await postgres?.stop();
});

const sale = (username: string) => ({ username, password: 'pw-1234', subscription_months: 1 });
const sell = (username: string) =>
  seller.post('/api/lines', sale(username), { 'idempotency-key': username });

/**
 * Requests made while the database does not answer; each must be answered before the database
 * continues.
 */
const questions: [path: string, ask: () => Promise<TestReply>][] = [
  ['GET /ready', () => seller.get('/ready')],
  ['GET /api/me', () => seller.get('/api/me')],
  ['GET /api/lines', () => seller.get('/api/lines')],
  ['GET /api/events', () => seller.get('/api/events')],
  ['GET /api/credits/verify', () => world.admin.get('/api/credits/verify')],
  ['POST /api/lines', () => sell('silent')],
  [
    'POST /api/auth/sign-in/email',
    () => seller.send('POST', '/api/auth/sign-in/email', { ...ADMIN }),
  ],
];

describe('while PostgreSQL says nothing', () => {
  beforeAll(() => postgres.freeze());

  test('every call is answered, more of them than there are connections', async () => {
    const asked = [...questions, ...questions, ...questions];
    const replies = await Promise.all(asked.map(([, ask]) => ask()));
    for (const [at, { status, body }] of replies.entries()) {
      expect(status, `${asked[at]?.[0]} ${JSON.stringify(body)}`).toBe(503);
    }
  });

  test('the metrics say that the database is down', async () => {
    expect(await metricsOf(panel.url)).toMatchObject({ linekeeper_database_up: 0 });
  });
});

describe('when it goes on', () => {
  beforeAll(() => postgres.thaw());

  test('the panel is ready by itself, and the sale is made once', async () => {
    await eventually(async () => expect((await seller.get('/ready')).status).toBe(200));
    // The first attempt counts as running until it is known to be dead.
    await eventually(async () => expect((await sell('silent')).status).toBe(201));
    expect(await soldNames(world.admin)).toEqual(['silent']);
    expect(await metricsOf(panel.url)).toMatchObject({ linekeeper_database_up: 1 });
  });

  test('the stream of events from before goes on, or is ended so that all is fetched anew', async () => {
    const before = stream.events.length;
    await eventually(async () => {
      await seller.patch('/api/me', { full_name: `Still ${Math.random()}` });
      expect(stream.hasEnded() || stream.events.length > before).toBe(true);
    });
  });

  test('changes are heard again', async () => {
    await eventually(async () => {
      // A stream that began before the panel listened again may be ended, like older streams.
      const next = await openEventStream(seller);
      try {
        const { body } = await seller.patch('/api/me', { full_name: `Again ${Math.random()}` });
        const change = { table: 'auth_users', op: 'UPDATE', id: body.id };
        await eventually(
          () => expect(next.events).toContainEqual(expect.objectContaining(change)),
          SOON_MS,
        );
      } finally {
        next.close();
      }
    });
  });
});

test('sales in whose middle it fell silent are each made once or not at all', async () => {
  const { credits } = (await seller.get('/api/me')).body;
  const names = Array.from({ length: 30 }, (_, index) => `middle-${index}`);
  const first = await sell('middle-first');
  expect(first.status).toBe(201);
  for (const part of [names.slice(0, 10), names.slice(10, 20), names.slice(20)]) {
    const sales = part.map(sell);
    // The database freezes at an arbitrary point.
    await eventually(async () => {
      const metrics = await metricsOf(panel.url);
      expect(metrics['linekeeper_pool_connections{state="in_use"}']).toBeGreaterThan(1);
    }).catch(() => {});
    postgres.freeze();
    for (const { status } of await Promise.all(sales)) expect([201, 503]).toContain(status);
    postgres.thaw();
    await eventually(async () => expect((await seller.get('/ready')).status).toBe(200));
  }
  for (const name of names) {
    await eventually(async () => expect((await sell(name)).status).toBe(201));
  }
  expect(await soldNames(world.admin)).toEqual(['middle-first', ...names, 'silent'].sort());
  expect((await seller.get('/api/me')).body.credits).toBe(credits - 2 * (names.length + 1));
});

test('a panel that is to end while the database says nothing ends by itself', async () => {
  postgres.freeze();
  panel.child.kill('SIGTERM');
  expect(await panel.ended).toMatchObject({ code: 0, signal: null });
});
