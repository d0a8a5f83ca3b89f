// @module-tag thorough
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, connectPostgres } from '../db/connect.ts';
import { startApi, stopServers } from '../domain/machines/card-server/testing/servers.ts';
import { TestClient } from '../testing/client.ts';
import { eventually } from '../testing/eventually.ts';
import { expectBalancedBooks } from '../testing/ledger/ledger.ts';
import { newLine } from '../testing/lines.ts';
import {
  balanceOf,
  endPanels,
  FIRST_START,
  makeMigratedDatabase,
  movedTo,
  openTestWorld,
  type PanelProcess,
  spawnPanel,
  type TestWorld,
} from '../testing/process/process.ts';
import { JSON_TYPE, type RawReply, sendRaw } from '../testing/wire/raw.ts';
import { openEventStream } from '../testing/wire/streams.ts';

/** A panel's maximum concurrent calls to one card server. */
const CALLS_OF_ONE_PANEL = 8;
const SLOW_MS = 200;
const CREDITS = 100_000;

const panels = {} as Record<'a' | 'b', PanelProcess>;
let database: Awaited<ReturnType<typeof makeMigratedDatabase>>;
let connection: Connection;
let world: TestWorld;
/** Calls received by the card server: names in order, and the highest concurrency. */
const calls = { names: [] as string[], underWay: 0, most: 0 };
/** Awaited before each reply of the card server, which accepts every change. */
let beforeAnswer: (username: string) => Promise<unknown> = async () => {};

beforeAll(async () => {
  database = await makeMigratedDatabase('postgres');
  connection = await connectPostgres(database.env.DATABASE_URL ?? '');
  const api = await startApi(async ({ body }) => {
    const { username } = (body ?? {}) as { username?: string };
    if (!username) return { status: 200, json: { version: '1' } };
    calls.names.push(username);
    calls.underWay += 1;
    calls.most = Math.max(calls.most, calls.underWay);
    await beforeAnswer(username);
    calls.underWay -= 1;
    return { status: 200, json: { message: 'ok' } };
  });
  panels.a = await spawnPanel({ ...database.env, ...FIRST_START });
  panels.b = await spawnPanel(database.env);
  world = await openTestWorld(panels.a.url, `http://127.0.0.1:${api.port}`, CREDITS);
});
afterAll(async () => {
  await endPanels();
  await stopServers();
  await connection?.close();
  await database?.remove();
});

const sellerOn = (panel: PanelProcess) => movedTo(panel.url, world.reseller.client);
const nameList = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

/** Sells a line over `agent` or a new connection; null if no complete reply came. */
async function sell(panel: PanelProcess, username: string, agent?: Agent) {
  const headers = {
    ...JSON_TYPE,
    cookie: world.reseller.client.cookie,
    'idempotency-key': username,
  };
  const body = JSON.stringify(newLine(username));
  const request = { method: 'POST', path: '/api/lines', headers, body };
  const reply = await sendRaw(panel.url, agent ? { ...request, agent } : request).catch(() => null);
  return { username, status: reply?.status ?? null, text: reply?.text };
}

/** Every line with this prefix has exactly one sale, and the balance is correct. */
async function expectPaidOnce(prefix: string): Promise<string[]> {
  const { db } = connection;
  const isMeant = sql<boolean>`starts_with(username, ${prefix})`;
  const lines = await db.selectFrom('users').select('username').where(isMeant).execute();
  const sales = await db
    .selectFrom('credit_transfers')
    .select('username')
    .where('kind', '=', 'sale')
    .where(isMeant)
    .execute();
  const names = lines.map(({ username }) => username).sort();
  expect(sales.map(({ username }) => username).sort()).toEqual(names);
  await expectBalancedBooks(db);
  return names;
}

async function dueNames(): Promise<string[]> {
  const rows = await connection.db
    .selectFrom('server_accounts')
    .select('username')
    .where(sql<boolean>`revision > synced_revision`)
    .execute();
  return rows.map(({ username }) => username);
}

test('a change made on one panel is heard on the other, both ways', async () => {
  const { a, b } = panels;
  for (const [here, there] of [
    [a, b],
    [b, a],
  ] as const) {
    const stream = await openEventStream(sellerOn(there));
    const username = `heard-${here === a ? 'on-b' : 'on-a'}`;
    const { status, body } = await sellerOn(here).post('/api/lines', newLine(username));
    expect(status).toBe(201);
    await stream.hears({ table: 'users', op: 'INSERT', id: body.line.id });
    stream.close();
  }
});

test('wrong passwords on one panel count on the other', async () => {
  const { a, b } = panels;
  const seller = { email: 'tried@panel.example', password: 'the right password' };
  const made = await world.admin.post('/api/accounts', { ...seller, group_id: '2' });
  expect(made.status).toBe(201);
  const tryOn = async ({ url }: PanelProcess, password: string) =>
    (await new TestClient(url).signIn(seller.email, password)).status;
  for (const panel of [a, a, a, b, b]) expect(await tryOn(panel, 'wrong password')).toBe(401);
  for (const panel of [b, a]) {
    expect(await tryOn(panel, 'wrong password')).toBe(429);
    expect(await tryOn(panel, seller.password)).toBe(429);
  }
});

test('of 100 due changes, with both panels at work, each reaches the server once', async () => {
  const gone = nameList('gone', 100);
  calls.names.length = 0;
  calls.most = 0;
  // The card server replies only once there are more calls than one panel may make.
  beforeAnswer = () => eventually(() => expect(calls.most).toBeGreaterThan(CALLS_OF_ONE_PANEL));
  await connection.db
    .insertInto('server_accounts')
    .values(
      gone.map((username) => ({
        server_id: world.server_id,
        username,
        wanted: null,
        operation: 'delete' as const,
        on_server: true,
      })),
    )
    .execute();
  await eventually(async () => expect(await dueNames()).toEqual([]));
  expect(calls.most).toBeGreaterThan(CALLS_OF_ONE_PANEL);
  expect(calls.names.toSorted()).toEqual(gone.toSorted());
});

test('a panel killed in the middle of sales loses none that it acknowledged, and the other delivers them', async () => {
  const { a, b } = panels;
  calls.names.length = 0;
  const answered = nameList('killed-a', 5);
  const open = { gate: () => {} };
  const isDead = new Promise<void>((resolve) => {
    open.gate = resolve;
  });
  beforeAnswer = async (name) => {
    if (name.startsWith('killed-a') && !answered.includes(name)) await isDead;
  };
  const names = nameList('killed-a', 20);
  const acknowledged = await Promise.all(answered.map((name) => sell(a, name)));
  const cutOff = names.slice(answered.length).map((name) => sell(a, name));
  const onB = nameList('killed-b', 20).map((name) => sell(b, name));
  await eventually(() => expect(calls.underWay).toBeGreaterThan(5));
  a.child.kill('SIGKILL');
  expect((await a.ended).signal).toBe('SIGKILL');
  open.gate();
  acknowledged.push(...(await Promise.all(onB)));
  expect(acknowledged.map(({ status }) => status)).toEqual(acknowledged.map(() => 201));
  expect((await Promise.all(cutOff)).map(({ status }) => status)).toEqual(cutOff.map(() => null));
  const sold = await expectPaidOnce('killed-');
  expect(sold).toEqual(expect.arrayContaining(acknowledged.map(({ username }) => username)));

  // B has no attempts in progress, so all leases belong to the dead panel and must expire.
  const leased = sql<boolean>`claimed_until > now()`;
  const passed = await connection.db
    .updateTable('server_accounts')
    .set({ claimed_until: sql`now()` })
    .where(leased)
    .returning('username')
    .execute();
  expect(passed.length).toBeGreaterThan(5);
  calls.names.length = 0;
  await eventually(async () => expect(await dueNames()).toEqual([]));
  const undelivered = passed.map(({ username }) => username);
  expect(calls.names).toEqual(expect.arrayContaining(undelivered));
  const admin = movedTo(b.url, world.admin);
  expect((await admin.get('/api/lines?q=killed-&sync_state=synced')).body.total).toBe(sold.length);
  panels.a = await spawnPanel(database.env);
});

test('SIGTERM to one panel under load fails no request: the proxy sees it going and turns to the other', async () => {
  const { a, b } = panels;
  beforeAnswer = () => sleep(SLOW_MS);
  // Like a proxy: polls /ready of A and sends no more requests once it is not ready.
  let isReady = true;
  const states = new Set<string>();
  const looking = setInterval(async () => {
    const reply = await sendRaw(a.url, { path: '/ready' }).catch(() => null);
    isReady &&= reply?.status === 200;
    if (reply) states.add(JSON.parse(reply.text).status);
  }, 100);
  const served = { a: 0, b: 0, afterSignal: 0 };
  const outcomes: { request: string; status: number | null; text: string | undefined }[] = [];
  let isOver = false;
  let isSignalled = false;
  const keepAlive = new Agent({ keepAlive: true, maxSockets: 6 });
  const work = async (worker: number, agent?: Agent) => {
    for (let turn = 0; !isOver; turn += 1) {
      const panel = isReady && turn % 2 === 0 ? a : b;
      const name = `term-${worker}-${turn}`;
      const ask = () => (turn % 4 < 2 ? sell(panel, name, agent) : list(panel, agent ?? false));
      let { status, text } = await ask();
      // On a busy machine, the database may be silent for too long, and the panel replies with 503.
      while (status === 503) ({ status, text } = await ask());
      outcomes.push({ request: name, status, text });
      served[panel === a ? 'a' : 'b'] += 1;
      if (panel === a && isSignalled) served.afterSignal += 1;
    }
  };
  const workers = Array.from({ length: 12 }, (_, n) => work(n, n < 6 ? keepAlive : undefined));
  await eventually(() => expect(served.a).toBeGreaterThan(24));
  await eventually(() => expect(calls.underWay).toBeGreaterThan(2));

  isSignalled = true;
  a.child.kill('SIGTERM');
  expect(await a.ended).toMatchObject({ code: 0, signal: null });
  const before = served.b;
  await eventually(() => expect(served.b).toBeGreaterThan(before + 24));
  isOver = true;
  await Promise.all(workers);
  clearInterval(looking);
  keepAlive.destroy();

  expect(outcomes.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
  expect(served.afterSignal).toBeGreaterThan(0);
  expect([...states]).toEqual(['ok', 'closing']);
  const sold = outcomes.filter(({ status }) => status === 201).map(({ request }) => request);
  expect(await expectPaidOnce('term-')).toEqual(sold.sort());
  const { body } = await movedTo(b.url, world.admin).get('/api/lines?limit=1');
  expect(await balanceOf(movedTo(b.url, world.admin), world.reseller.id)).toBe(
    CREDITS - 2 * body.total,
  );
});

async function list(panel: PanelProcess, agent: Agent | false) {
  const { cookie } = world.reseller.client;
  const request = { path: '/api/lines', headers: { cookie } };
  const reply: RawReply | null = await sendRaw(
    panel.url,
    agent ? { ...request, agent } : request,
  ).catch(() => null);
  return { status: reply?.status ?? null, text: reply?.text };
}
