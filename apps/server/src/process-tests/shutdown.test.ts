// @module-tag thorough
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { connectPostgres } from '../db/connect.ts';
import { startScriptedCardServer } from '../testing/card-servers/card-server.ts';
import { eventually } from '../testing/eventually.ts';
import {
  endPanels,
  FIRST_START,
  makeMigratedDatabase,
  openTestWorld,
  spawnPanel,
  tryToSpawnPanel,
} from '../testing/process/process.ts';
import { JSON_TYPE, sendRaw } from '../testing/wire/raw.ts';
import { openStream } from '../testing/wire/streams.ts';

afterAll(endPanels);

const SLOW_MS = 1000;

async function expectFree(url: string): Promise<void> {
  const server = createServer();
  server.listen(Number(new URL(url).port), '127.0.0.1');
  await once(server, 'listening');
  server.close();
}

test.each([
  { kind: 'postgres', signals: ['SIGTERM'] },
  { kind: 'embedded', signals: ['SIGINT', 'SIGINT'] },
] as const)(
  'on $kind $signals answers the sale in flight, ends streams and idle connections, and exits 0',
  async ({ kind, signals }) => {
    const database = await makeMigratedDatabase(kind);
    const cardServer = await startScriptedCardServer(() => sleep(SLOW_MS));
    const panel = await spawnPanel({ ...database.env, ...FIRST_START });
    const { reseller } = await openTestWorld(panel.url, cardServer.url);
    const keepAlive = new Agent({ keepAlive: true });
    expect((await sendRaw(panel.url, { path: '/health', agent: keepAlive })).status).toBe(200);
    const silent = connect(Number(new URL(panel.url).port), '127.0.0.1');
    await once(silent, 'connect');
    const stream = await openStream(reseller.client);
    const sale = reseller.client.post('/api/lines', {
      username: 'in-flight',
      password: 'pw-in-flight',
      subscription_months: 1,
    });
    await eventually(() => expect(cardServer.adds).toEqual(['in-flight']));

    for (const signal of signals) panel.child.kill(signal);
    expect(await sale).toMatchObject({
      status: 201,
      body: { credits: 98, sync: { ok: true, message: null } },
    });
    await stream.ended;
    expect(await panel.ended).toMatchObject({ code: 0, signal: null });
    await expectFree(panel.url);
    silent.destroy();
    keepAlive.destroy();
    await cardServer.stop();
    await database.remove();
  },
);

test('connections that are kept alive by their clients end with the replies under way', async () => {
  const database = await makeMigratedDatabase('postgres');
  const cardServer = await startScriptedCardServer(() => sleep(SLOW_MS));
  const panel = await spawnPanel({ ...database.env, ...FIRST_START });
  const { reseller } = await openTestWorld(panel.url, cardServer.url);
  const keepAlive = new Agent({ keepAlive: true, maxSockets: 10 });
  const headers = {
    cookie: reseller.client.cookie,
    'content-type': 'application/json',
  };
  const sales = Array.from({ length: 10 }, (_, index) =>
    sendRaw(panel.url, {
      method: 'POST',
      path: '/api/lines',
      agent: keepAlive,
      headers: { ...headers, 'idempotency-key': `kept-${index}` },
      body: JSON.stringify({ username: `kept-${index}`, password: 'pw', subscription_months: 1 }),
    }),
  );
  await eventually(() => expect(cardServer.adds.length).toBeGreaterThan(0));
  panel.child.kill('SIGTERM');
  const replies = await Promise.all(sales);
  expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 201));
  expect(await panel.ended).toMatchObject({ code: 0 });
  keepAlive.destroy();
  await cardServer.stop();
  await database.remove();
});

test.concurrent('of 40 sales around SIGTERM each is answered in full or never happened', async () => {
  const database = await makeMigratedDatabase('postgres');
  const cardServer = await startScriptedCardServer(() => sleep(300));
  const panel = await spawnPanel({ ...database.env, ...FIRST_START });
  const { reseller } = await openTestWorld(panel.url, cardServer.url, 1000);
  const sell = async (username: string) => {
    const body = JSON.stringify({ username, password: 'pw', subscription_months: 1 });
    const headers = { ...JSON_TYPE, cookie: reseller.client.cookie, 'idempotency-key': username };
    const path = '/api/lines';
    const reply = await sendRaw(panel.url, { method: 'POST', path, headers, body }).catch(
      () => null,
    );
    return { username, reply };
  };
  const names = (prefix: string) => Array.from({ length: 20 }, (_, index) => `${prefix}-${index}`);
  const early = names('early').map(sell);
  await eventually(() => expect(cardServer.adds).not.toEqual([]));
  panel.child.kill('SIGTERM');
  const late = names('late').map(sell);
  const outcomes = await Promise.all([...early, ...late]);
  expect((await panel.ended).code).toBe(0);

  const answered = outcomes.filter(({ reply }) => reply !== null);
  expect(answered.length).toBeGreaterThanOrEqual(1);
  for (const { reply, username } of answered) {
    expect(reply?.status).toBe(201);
    expect(JSON.parse(reply?.text ?? '')).toMatchObject({ line: { username }, cost: 2 });
  }
  const { db, close } = await connectPostgres(database.env.DATABASE_URL ?? '');
  const acknowledged = answered.map(({ username }) => username).sort();
  const lines = await db.selectFrom('users').select('username').orderBy('username').execute();
  expect(lines.map((line) => line.username)).toEqual(acknowledged);
  const sales = await db
    .selectFrom('credit_transfers')
    .select(['username', 'amount', 'from_id'])
    .where('kind', '=', 'sale')
    .orderBy('username')
    .execute();
  expect(sales).toEqual(
    acknowledged.map((username) => ({ username, amount: 2, from_id: reseller.id })),
  );
  const { credits } = await db
    .selectFrom('auth_users')
    .select('credits')
    .where('id', '=', reseller.id)
    .executeTakeFirstOrThrow();
  expect(credits).toBe(1000 - 2 * acknowledged.length);
  await close();
  await cardServer.stop();
  await database.remove();
});

test.concurrent('a panel whose launcher vanished ends by itself, whoever keeps a request unfinished', async () => {
  const database = await makeMigratedDatabase('postgres');
  const panel = await spawnPanel({ ...database.env, ...FIRST_START });
  const endless = connect(Number(new URL(panel.url).port), '127.0.0.1');
  endless.on('error', () => {});
  const head = 'POST /api/auth/sign-in/email HTTP/1.1\r\nhost: a\r\ncontent-type: application/json';
  endless.write(`${head}\r\ncontent-length: 100\r\n\r\n{`);
  await eventually(async () => {
    const { text } = await sendRaw(panel.url, { path: '/health' });
    expect(text).toContain('ok');
  });
  panel.child.disconnect();
  expect(await panel.ended).toMatchObject({ code: 0, signal: null });
  endless.destroy();
  await database.remove();
});

test.concurrent.each([
  ['a launcher that vanishes', (child: ChildProcess) => child.disconnect()],
  ['SIGTERM', (child: ChildProcess) => void child.kill('SIGTERM')],
])('%s in the middle of the start ends it', async (_, end) => {
  const database = await makeMigratedDatabase('postgres');
  const panel = await tryToSpawnPanel({ ...database.env, ...FIRST_START }, (child) =>
    child.stdout?.once('data', () => end(child)),
  );
  expect(await panel.ended).toMatchObject({ code: 0, signal: null });
  await database.remove();
});
