// @module-tag thorough
import { afterAll, expect, test } from 'vitest';
import { TestClient } from '../testing/client.ts';
import { startDatabaseProxy } from '../testing/database/database-proxy.ts';
import { ADMIN, makeDatabase, startTestAgent } from '../testing/panel.ts';
import { endPanels, FIRST_START, openTestWorld, spawnPanel } from '../testing/process/process.ts';
import { JSON_TYPE, sendRaw } from '../testing/wire/raw.ts';

afterAll(endPanels);

const CANARY = 'canary-6f1d';
const sale = { username: 'logged', password: `${CANARY}-line`, subscription_months: 1 };
const ANNOUNCED = /^(Linekeeper is running at|Administrator:) /;

interface Entry {
  msg: string;
  reqId?: string;
  status?: number;
  path?: string;
}

test('the log has one JSON line for every request under its id, and no secret in any line', {
  tags: ['spec:8.45'],
}, async () => {
  const database = await makeDatabase('postgres');
  const agent = await startTestAgent();
  const panel = await spawnPanel({ ...database.env, ...FIRST_START, LOG_LEVEL: 'trace' });
  const { admin, reseller } = await openTestWorld(panel.url, agent.url);
  const { client } = reseller;
  const key = (name: string) => ({ 'idempotency-key': `${CANARY}-key-${name}` });
  const raw = (options: Partial<Parameters<typeof sendRaw>[1]>) =>
    sendRaw(panel.url, {
      method: 'POST',
      path: '/api/lines',
      ...options,
      headers: { ...JSON_TYPE, cookie: client.cookie, ...options.headers },
    });

  const wrong = { email: ADMIN.email, password: `${CANARY}-wrong` };
  const sold = await client.post('/api/lines', sale, key('sale'));
  const line = `/api/lines/${sold.body.line.id}`;
  const server = {
    server_name: 'X',
    host_ip: '127.0.0.1',
    port: 1,
    api_port: 1,
    username: 'panel',
    password: `${CANARY}-server`,
  };
  const replies = [
    sold,
    await new TestClient(panel.url).post('/api/auth/sign-in/email', wrong),
    await new TestClient(panel.url).get(`/api/lines?q=${CANARY}-query`),
    await client.get(`/api/lines?q=${CANARY}-query`),
    await client.post(`${line}/reveal`, undefined, key('reveal')),
    await client.post('/api/lines', { ...sale, subscription_months: 5 }, key('invalid')),
    await client.post('/api/lines', sale, key('taken')),
    await client.get(`/no/such/page?token=${CANARY}-query`),
    await client.get(`/api/no-such-call?token=${CANARY}-query`),
    await admin.post('/api/servers', server, key('server')),
    await admin.post('/api/servers/test', server, key('server')),
  ];
  expect(replies.map(({ status }) => status)).toEqual([
    201,
    401,
    401,
    200,
    200,
    422,
    409,
    expect.any(Number),
    404,
    201,
    200,
  ]);
  const broken = [
    await raw({ body: `{"password":"${CANARY}-broken` }),
    await raw({ body: CANARY, headers: { 'content-type': 'text/plain' } }),
    await raw({ body: `{"a":"${CANARY}${'x'.repeat(300_000)}"}` }),
    await raw({ body: '{}', headers: { origin: `https://${CANARY}.example` } }),
    await raw({ body: '{}', headers: { cookie: `linekeeper.session=${CANARY}-cookie` } }),
    await raw({ method: 'GET', path: `/api/lines/%${CANARY}`, body: '' }),
  ];
  expect(broken.map(({ status }) => status)).toEqual([400, 400, 413, 403, 401, 404]);
  panel.child.kill('SIGTERM');
  await panel.ended;

  const lines = panel.stdout().trim().split('\n');
  const entries = lines
    .filter((text) => !ANNOUNCED.test(text))
    .map((text): Entry => JSON.parse(text));
  const logged = new Map<string | undefined, Entry[]>();
  for (const entry of entries.filter(({ msg }) => msg === 'request')) {
    logged.set(entry.reqId, [...(logged.get(entry.reqId) ?? []), entry]);
  }
  const answered = [
    ...replies.map(({ status, headers }) => ({ status, id: headers.get('x-request-id') })),
    ...broken.map(({ status, headers }) => ({ status, id: headers['x-request-id'] })),
  ];
  for (const { status, id } of answered) {
    expect(logged.get(String(id)), `the line of a request answered ${status}`).toMatchObject([
      { status },
    ]);
  }
  for (const entry of entries) expect(entry.path ?? '').not.toContain('?');
  const everything = panel.stdout() + panel.stderr();
  // A log line contains the path, but not the query.
  expect(everything.replaceAll(`/api/lines/%${CANARY}`, '')).not.toContain(CANARY);
  for (const { cookie } of [admin, client]) {
    const token = decodeURIComponent(cookie.split('=')[1] ?? '').split('.')[0] ?? '';
    expect(token.length).toBeGreaterThan(20);
    expect(everything).not.toContain(token);
  }
  expect(everything).not.toContain('a reseller password');
  expect(everything).not.toContain(ADMIN.password);
  expect(panel.stderr()).toBe('');
  await agent.close();
  await database.remove();
});

test.each([
  ['believed from a proxy of TRUST_PROXY', '127.0.0.1', '203.0.113.9'],
  ['not believed from anybody else', '10.0.0.1', '127.0.0.1'],
])('a forwarded address is %s', async (_, TRUST_PROXY, ip) => {
  const database = await makeDatabase('postgres');
  const panel = await spawnPanel({ ...database.env, ...FIRST_START, TRUST_PROXY });
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  await sendRaw(panel.url, { path: '/api/me', headers });
  panel.child.kill('SIGTERM');
  await panel.ended;
  const requests = panel
    .stdout()
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'));
  expect(requests.map((line) => JSON.parse(line))).toMatchObject([{ path: '/api/me', ip }]);
  await database.remove();
});

test('while PostgreSQL is away, what is refused for it is one line a second', async () => {
  const database = await makeDatabase('postgres');
  const proxy = await startDatabaseProxy(database.env.DATABASE_URL ?? '');
  const panel = await spawnPanel({ ...database.env, ...FIRST_START, DATABASE_URL: proxy.url });
  const admin = new TestClient(panel.url);
  await admin.signIn(ADMIN.email, ADMIN.password);
  await proxy.goAway();
  const startedAt = performance.now();
  let refused = 0;
  while (performance.now() - startedAt < 3000) {
    const paths = ['/api/me', '/api/lines', '/ready', '/api/events'];
    for (const { status } of await Promise.all(paths.map((path) => admin.get(path)))) {
      expect(status).toBe(503);
      refused += 1;
    }
  }
  const seconds = (performance.now() - startedAt) / 1000;
  await proxy.comeBack();
  panel.child.kill('SIGTERM');
  await panel.ended;
  const lines = panel.stdout().split('\n');
  const logged = lines.filter((line) => /"status":503|request failed|not ready/.test(line));
  expect(refused).toBeGreaterThan(20);
  expect(logged.length).toBeLessThanOrEqual(seconds + 1);
  expect(JSON.parse(logged[0] ?? '')).toMatchObject({
    status: 503,
    err: { message: expect.any(String) },
  });
  await database.remove();
});
