// @module-tag thorough
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { can } from '@linekeeper/contract/permissions.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashCheaply, hashFully } from '../testing/accounts/password-cost.ts';
import { dump, dumpText } from '../testing/database/dump.ts';
import { eventually } from '../testing/eventually.ts';
import { endpoints } from '../testing/wire/endpoints.ts';
import { sendRaw } from '../testing/wire/raw.ts';
import { openStream } from '../testing/wire/streams.ts';
import { signedIn } from '../testing/world/records.ts';
import { sendSample } from '../testing/world/samples.ts';
import { makeWorld, type Person, type World } from '../testing/world/world.ts';

beforeAll(hashFully);
afterAll(hashCheaply);

const canary = {
  line: 'canary-line-password',
  server: 'canary-server-password',
  account: 'canary-account-password',
};

let world: World;
/** Accounts whose passwords and sessions are searched for too. */
let seller: Person;
let admin: Person;
let echo: ReturnType<typeof createServer>;
let echoServer = '';
let lineId = '';
/** All that the panel has sent, except the one reply that may contain a secret. */
const said: string[] = [];

/** A card server that echoes everything it receives. */
async function startEcho(): Promise<number> {
  echo = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { authorization } = request.headers;
    const plain = Buffer.from(authorization?.split(' ')[1] ?? '', 'base64').toString();
    response.statusCode = request.url === '/add-user' ? 500 : 200;
    const message = `${authorization} ${plain} ${Buffer.concat(chunks)}`;
    response.end(JSON.stringify({ message, version: message }));
  });
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  return (echo.address() as AddressInfo).port;
}

async function makeSeller(): Promise<Person> {
  const { panel, people } = world;
  const email = 'canary-seller@panel.example';
  const account = { email, password: canary.account, group_id: '2', credits: 1000 };
  const made = await panel.admin.post('/api/accounts', account);
  said.push(JSON.stringify(made.body));
  const client = await signedIn(panel, email, canary.account);
  return { ...people.alpha, id: made.body.account.id, email, password: canary.account, client };
}

beforeAll(async () => {
  world = await makeWorld();
  admin = world.people.admin;
  seller = await makeSeller();
  const added = await admin.client.post('/api/servers', {
    server_name: 'Echo',
    host_ip: '127.0.0.1',
    port: 1,
    api_port: await startEcho(),
    username: 'panel',
    password: canary.server,
  });
  said.push(JSON.stringify(added.body));
  echoServer = added.body.server.id;
  said.push(JSON.stringify((await admin.client.post(`/api/servers/${echoServer}/test`)).body));
});
afterAll(async () => {
  echo?.close();
  await world?.stop();
});

const tokenOf = ({ client }: Person) =>
  decodeURIComponent(client.cookie.split('=')[1] ?? '').split('.')[0] ?? '';

const secrets = () => [...Object.values(canary), tokenOf(seller), tokenOf(admin)];

function expectNoSecret(text: string, name: string): void {
  for (const secret of secrets()) {
    expect(secret.length).toBeGreaterThan(15);
    expect(text.includes(secret), `${name} holds ${secret.slice(0, 12)}`).toBe(false);
    const encoded = Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1);
    expect(text.includes(encoded), `${name} holds ${secret.slice(0, 12)} in base64`).toBe(false);
  }
}

test('a sale on a server that answers with all it was told keeps the secrets', async () => {
  const sale = {
    username: 'canary-line',
    password: canary.line,
    subscription_months: 1,
    server_id: echoServer,
  };
  const key = { 'idempotency-key': 'canary' };
  const sold = await seller.client.post('/api/lines', sale, key);
  expect(sold.status).toBe(201);
  expect(sold.body.sync.ok).toBe(false);
  expect(sold.body.sync.message).not.toBe('');
  lineId = sold.body.line.id;
  const replayed = await seller.client.post('/api/lines', sale, key);
  expect(replayed.headers.get('idempotency-replayed')).toBe('true');
  expect(replayed.body).toEqual(sold.body);
  said.push(JSON.stringify([sold.body, replayed.body]));
});

test('no reply of any call says a secret', async () => {
  const { panel, missing } = world;
  const stream = await openStream(seller.client);
  const exported = { action: 'export', ids: [lineId] };
  const job = (await seller.client.post('/api/lines/bulk', exported)).body.job.id;
  for (const person of [seller, admin]) {
    const own = { ...missing, account: seller.id, line: lineId, server: echoServer, job };
    for (const targets of [own, missing]) {
      for (const endpoint of endpoints) {
        const isReveal = ['revealLine', 'lineReceivers'].includes(endpoint.name) && targets === own;
        // These calls would end the sessions or rows that the other calls need.
        const isEnding = [
          'signOut',
          'deleteServer',
          'deleteLine',
          'changePassword',
          'banAccount',
        ].includes(endpoint.name);
        if (isReveal || isEnding || !can(person, endpoint.access)) continue;
        const { status, text } = await sendSample(panel.url, endpoint, targets, person);
        expect(status, endpoint.name).toBeLessThan(500);
        said.push(`${endpoint.name} ${text}`);
      }
    }
    for (const path of ['/api/lines', '/api/accounts', '/api/servers', '/api/me', '/api/no-call']) {
      said.push(JSON.stringify((await person.client.get(`${path}?q=canary`)).body));
    }
  }
  for (const path of ['/metrics', '/api/openapi.json', '/health', '/ready', '/api/docs', '/']) {
    said.push((await sendRaw(panel.url, { path })).text);
  }
  await eventually(() => expect(stream.events.length).toBeGreaterThan(0));
  stream.close();
  said.push(stream.text());
  expect(said.length).toBeGreaterThan(80);
  for (const text of said) expectNoSecret(text, text.slice(0, 40));
});

test('a refused request is not told its own secrets back', async () => {
  const wrong = await Promise.all([
    seller.client.post('/api/lines', { username: 'x', password: `${canary.line} #` }),
    seller.client.post('/api/lines', { username: 'x', password: [canary.line] }),
    seller.client.post('/api/accounts', { email: 'x', password: canary.account }),
    seller.client.post('/api/auth/change-password', {
      current_password: `${canary.account}!`,
      new_password: canary.account.slice(0, 3),
    }),
    world.panel.anonymous().post('/api/auth/sign-in/email', {
      email: seller.email,
      password: canary.account.repeat(20),
    }),
    admin.client.post('/api/servers', { password: canary.server, port: canary.server }),
  ]);
  for (const { status, body } of wrong) {
    expect(status).toBe(422);
    expectNoSecret(JSON.stringify(body), 'an error');
  }
});

test('no table holds a password, and a session’s token is in no table but the sessions’', async () => {
  const { db } = world.panel.services;
  const tables = await dump(db);
  // A session is found by its token, which is stored in plain text. A stolen
  // database does not contain valid cookies, because those are signed with a key stored elsewhere.
  const sessions = tables.auth_sessions?.join('\n') ?? '';
  for (const person of [seller, admin]) expect(sessions).toContain(tokenOf(person));
  for (const secret of Object.values(canary)) expect(sessions).not.toContain(secret);
  const others = (await dumpText(db))
    .split('\n')
    .filter((row) => !row.startsWith('auth_sessions '));
  expect(others.length).toBeGreaterThan(20);
  expectNoSecret(others.join('\n'), 'the database');
  for (const row of [...(tables.users ?? []), ...(tables.cccam_servers ?? [])]) {
    expect(JSON.parse(row).password).toMatch(/^v1:/);
  }
  for (const row of tables.auth_credentials ?? []) {
    expect(JSON.parse(row).password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  }
});

test('a sealed password opens for its own row only', async () => {
  const { db, secrets: sealing } = world.panel.services;
  const { password } = await db
    .selectFrom('users')
    .select('password')
    .where('id', '=', lineId)
    .executeTakeFirstOrThrow();
  expect(sealing.open(password, lineId)).toBe(canary.line);
  expect(() => sealing.open(password, seller.id)).toThrow();
  const [version, data = ''] = password.split(':');
  const bytes = Buffer.from(data, 'base64');
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  expect(() => sealing.open(`${version}:${bytes.toString('base64')}`, lineId)).toThrow();
});

test('revealing says it to whoever sees the line, and the audit log says who asked', async () => {
  const { people, panel } = world;
  const revealed = await seller.client.post(`/api/lines/${lineId}/reveal`);
  expect(revealed.body).toEqual({ password: canary.line, page: null });
  expect((await people.beta.client.post(`/api/lines/${lineId}/reveal`)).status).toBe(404);
  const audited = await panel.services.db
    .selectFrom('audit_log')
    .select(['actor_id', 'action'])
    .where('subject_id', '=', lineId)
    .where('action', '=', 'line.reveal')
    .execute();
  expect(audited).toEqual([{ actor_id: seller.id, action: 'line.reveal' }]);
  expectNoSecret(
    (await dumpText(panel.services.db)).replace(/^auth_sessions .*$/gm, ''),
    'the database after a reveal',
  );
});
