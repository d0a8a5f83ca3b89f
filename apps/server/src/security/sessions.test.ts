import { createHmac } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPanel } from '../commands/panel.ts';
import { createSecrets } from '../platform/keys/secrets.ts';
import { TestClient } from '../testing/client.ts';
import { eventually } from '../testing/eventually.ts';
import { JSON_TYPE, sendRaw } from '../testing/wire/raw.ts';
import { openStream } from '../testing/wire/streams.ts';
import { signedIn } from '../testing/world/records.ts';
import { makeWorld, type Person, type World } from '../testing/world/world.ts';

const NAME = 'linekeeper.session';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world?.stop());

/** Signs in with a new session, so that a test may end it. */
function signIn({ email, password }: Pick<Person, 'email' | 'password'>): Promise<TestClient> {
  return signedIn(world.panel, email, password);
}

function withCookie(value: string): TestClient {
  const client = new TestClient(world.panel.url);
  client.cookie = `${NAME}=${value}`;
  return client;
}

const cookieValue = ({ cookie }: TestClient) => decodeURIComponent(cookie.slice(NAME.length + 1));
const sign = (token: string, key: string) =>
  createHmac('sha256', key).update(token).digest('base64');

/** The session must be invalid from the next request on. */
async function expectDead(client: TestClient): Promise<void> {
  expect((await client.get('/api/me')).status).toBe(401);
}

test('the cookie is for this host, hidden from scripts and from other sites', {
  tags: ['spec:9.26'],
}, async () => {
  const { email, password } = world.people.alpha;
  const reply = await world.panel.anonymous().signIn(email, password);
  const cookies = reply.headers.getSetCookie();
  expect(cookies).toHaveLength(1);
  const [pair, ...attributes] = (cookies[0] ?? '').split('; ');
  expect(pair).toMatch(/^linekeeper\.session=[^;]{60,}$/);
  expect(attributes.map((one) => one.toLowerCase()).sort()).toEqual([
    'httponly',
    'max-age=604800',
    'path=/',
    'samesite=lax',
  ]);
});

test('no reply has the session’s token in its body', async () => {
  const { email, password } = world.people.alpha;
  const client = world.panel.anonymous();
  const replies = [await client.signIn(email, password)];
  const [token = ''] = cookieValue(client).split('.');
  for (const path of ['/api/auth/get-session', '/api/me', '/api/accounts', '/api/lines']) {
    replies.push(await client.get(path));
  }
  replies.push(await client.patch('/api/me', { full_name: 'Anna' }));
  replies.push(await client.post('/api/auth/sign-out'));
  for (const { status, body } of replies) {
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain(token);
  }
});

test('forged, cut, swapped and re-signed cookies are nobody', async () => {
  const { alpha, beta } = world.people;
  const [mine, theirs] = [cookieValue(alpha.client), cookieValue(beta.client)];
  const [[token = '', signature = ''], [otherToken = '', otherSignature = '']] = [
    mine.split('.'),
    theirs.split('.'),
  ];
  const stored = await world.panel.services.db
    .selectFrom('auth_sessions')
    .select('id')
    .executeTakeFirstOrThrow();
  const forged = [
    '',
    '.',
    token,
    `${token}.`,
    `.${signature}`,
    mine.slice(0, -6),
    mine.slice(1),
    `${token.slice(0, -1)}.${signature}`,
    `${token}.${otherSignature}`,
    `${otherToken}.${signature}`,
    `${token} .${signature}`,
    `${token}.${sign(token, 'another key')}`,
    `${token}.${sign(token, '')}`,
    `${token}.${sign(token, createSecrets('another secret key of the same length').sessionKey)}`,
    `${token}.${Buffer.alloc(32).toString('base64')}`,
    `${stored.id}.${sign(stored.id, 'another key')}`,
    `' or 1=1 --.${signature}`,
    `${'a'.repeat(4000)}.${signature}`,
    '%00',
    '%',
  ];
  for (const value of forged) {
    const raw = withCookie(value);
    expect((await raw.get('/api/me')).status, value).toBe(401);
    expect((await raw.get('/api/events')).status, value).toBe(401);
    expect((await raw.get('/api/auth/get-session')).body, value).toBeNull();
    const encoded = withCookie(encodeURIComponent(value));
    expect((await encoded.get('/api/me')).status, value).toBe(401);
  }
  expect((await withCookie(encodeURIComponent(mine)).get('/api/me')).body.id).toBe(alpha.id);
});

test('of two cookies of the name only the first counts, and a cookie of another name never', async () => {
  const { alpha } = world.people;
  const cookies = [
    `${NAME}=forged; ${alpha.client.cookie}`,
    alpha.client.cookie.replace(NAME, '__Host-linekeeper.session'),
    alpha.client.cookie.replace(NAME, 'session'),
    alpha.client.cookie.replace(NAME, NAME.toUpperCase()),
  ];
  for (const cookie of cookies) {
    const headers = { cookie };
    expect((await sendRaw(world.panel.url, { path: '/api/me', headers })).status, cookie).toBe(401);
  }
});

test('a cookie that an attacker chose never becomes the victim’s session', async () => {
  const { alpha, beta } = world.people;
  const attacker = await signIn(beta);
  const planted = [attacker.cookie, `${NAME}=chosen.by-the-attacker`];
  for (const cookie of planted) {
    const reply = await sendRaw(world.panel.url, {
      method: 'POST',
      path: '/api/auth/sign-in/email',
      headers: { ...JSON_TYPE, cookie },
      body: JSON.stringify({ email: alpha.email, password: alpha.password }),
    });
    const given = reply.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    expect(given).not.toBe(cookie);
    const victim = withCookie(given.slice(NAME.length + 1));
    expect((await victim.get('/api/me')).body.id).toBe(alpha.id);
    const forged = withCookie(cookie.slice(NAME.length + 1));
    expect((await forged.get('/api/me')).body.id).not.toBe(alpha.id);
  }
});

test('signing out ends this session and its streams, and no other', async () => {
  const { alpha } = world.people;
  const [leaving, staying] = [await signIn(alpha), await signIn(alpha)];
  const streams = [await openStream(leaving), await openStream(staying)];
  const reply = await leaving.post('/api/auth/sign-out');
  expect(reply.headers.getSetCookie()[0]).toMatch(/^linekeeper\.session=; Max-Age=0; Path=\//);
  await expectDead(leaving);
  await eventually(() => expect(streams[0]?.isOpen()).toBe(false));
  expect((await staying.get('/api/me')).status).toBe(200);
  expect(streams[1]?.isOpen()).toBe(true);
  streams[1]?.close();
});

test('a new password ends the other sessions at once', async () => {
  const { user } = world.people;
  const [changing, other] = [await signIn(user), await signIn(user)];
  const passwords = { current_password: user.password, new_password: user.password };
  expect((await changing.post('/api/auth/change-password', passwords)).status).toBe(200);
  await expectDead(other);
  expect((await changing.get('/api/me')).status).toBe(200);
  user.client = changing;
});

test('a ban ends session and stream at once, and no sign-in helps', async () => {
  const { db } = world.panel.services;
  const { beta } = world.people;
  const client = await signIn(beta);
  const stream = await openStream(client);
  const ban = (banned: boolean) =>
    db.updateTable('auth_users').set({ banned }).where('id', '=', beta.id).execute();
  await ban(true);
  await expectDead(client);
  await eventually(() => expect(stream.isOpen()).toBe(false));
  const again = await world.panel.anonymous().signIn(beta.email, beta.password);
  const unknown = await world.panel.anonymous().signIn('nobody@panel.example', beta.password);
  expect([again.status, again.body]).toEqual([401, unknown.body]);
  expect(again.headers.getSetCookie()).toEqual([]);
  await ban(false);
});

test('a changed role or group counts from the next request on', async () => {
  const { db } = world.panel.services;
  const { overseer } = world.people;
  const client = await signIn(overseer);
  const setGroup = (group_id: string) =>
    db.updateTable('auth_users').set({ group_id }).where('id', '=', overseer.id).execute();
  const statusOf = async (path: string) => (await client.get(path)).status;
  expect([await statusOf('/api/lines'), await statusOf('/api/servers')]).toEqual([200, 403]);
  const stream = await openStream(client);
  await setGroup('3');
  expect(await statusOf('/api/lines')).toBe(403);
  await eventually(() => expect(stream.isOpen()).toBe(false));
  await setGroup('1');
  expect(await statusOf('/api/servers')).toBe(200);
  await setGroup('overseer');
  await db.updateTable('groups').set({ permissions: [] }).where('id', '=', 'overseer').execute();
  expect([await statusOf('/api/lines'), await statusOf('/api/servers')]).toEqual([403, 403]);
});

test('a session that has run out is nobody’s', async () => {
  const { db } = world.panel.services;
  const client = await signIn(world.people.alpha);
  const token = cookieValue(client).split('.')[0] ?? '';
  await db
    .updateTable('auth_sessions')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('token', '=', token)
    .execute();
  expect((await client.get('/api/me')).status).toBe(401);
});

test('a session made on one panel is good on another beside it, and ends on both', async () => {
  const { alpha } = world.people;
  const second = await startPanel(world.panel.env, pino({ level: 'silent' }));
  try {
    const here = await signIn(alpha);
    const there = new TestClient(second.url);
    there.cookie = here.cookie;
    expect((await there.get('/api/me')).body.id).toBe(alpha.id);
    const stream = await openStream(there);
    await here.post('/api/auth/sign-out');
    await expectDead(there);
    await eventually(() => expect(stream.isOpen()).toBe(false));
  } finally {
    await second.close();
  }
});
