import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { TestClient } from '../../testing/client.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';
import { ZONE } from '../../testing/zone.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await startTestPanel();
});

async function anotherSession({ email, password }: TestAccount): Promise<TestClient> {
  const client = new TestClient(panel.url);
  expect((await client.signIn(email, password)).status).toBe(200);
  return client;
}
const isIn = async (client: TestClient) => (await client.get('/api/me')).status === 200;
const sessionOf = async (client: TestClient) => (await client.get('/api/auth/get-session')).body;

describe('the session', () => {
  test('is null when signed out, and else tells the account', {
    tags: ['spec:4.1', 'spec:7.4'],
  }, async () => {
    const nobody = await panel.anonymous().get('/api/auth/get-session');
    expect([nobody.status, nobody.body]).toEqual([200, null]);

    const seller = await panel.reseller();
    const session = await sessionOf(seller.client);
    expect(Object.keys(session).sort()).toEqual(['expires_at', 'user']);
    expect(session.user).toEqual((await seller.client.get('/api/me')).body);
    const days = (Date.parse(session.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThanOrEqual(7);
  });

  test('ends at once on signing out, for a copy of the cookie too', {
    tags: ['spec:7.3'],
  }, async () => {
    const seller = await panel.reseller();
    const other = await anotherSession(seller);
    const copy = panel.anonymous();
    copy.cookie = seller.client.cookie;
    expect(await isIn(copy)).toBe(true);

    const reply = await seller.client.post('/api/auth/sign-out');
    expect(reply).toMatchObject({ status: 200, body: { success: true } });
    expect(reply.headers.getSetCookie()[0]).toMatch(/^linekeeper\.session=; Max-Age=0/);
    expect(await isIn(copy)).toBe(false);
    expect(await sessionOf(copy)).toBeNull();
    expect(await isIn(other)).toBe(true);
    // Signing out twice is not an error.
    expect((await copy.post('/api/auth/sign-out')).status).toBe(200);
  });

  test('ends at once with a ban', async () => {
    const seller = await panel.reseller();
    const ban = sql`update auth_users set banned = true where id = ${seller.id}`;
    await ban.execute(panel.services.db);
    expect(await isIn(seller.client)).toBe(false);
  });

  test('follows the account’s group from one request to the next', {
    tags: ['spec:6.13'],
  }, async () => {
    const seller = await panel.reseller();
    expect((await seller.client.get('/api/lines')).status).toBe(200);
    const demote = sql`update auth_users set group_id = '3' where id = ${seller.id}`;
    await demote.execute(panel.services.db);
    expect((await seller.client.get('/api/lines')).status).toBe(403);
  });

  test('that has expired is invalid; one in use is extended once a day, with its cookie', async () => {
    const seller = await panel.reseller();
    const age = (interval: string) =>
      sql`update auth_sessions set updated_at = now() - ${interval}::interval,
        expires_at = now() - ${interval}::interval + interval '7 days'
        where user_id = ${seller.id}`.execute(panel.services.db);
    await age('2 days');
    const used = await seller.client.get('/api/me');
    expect(used.headers.getSetCookie()[0]).toContain(`${seller.client.cookie}; Max-Age=604800`);
    const { expires_at } = await sessionOf(seller.client);
    expect((Date.parse(expires_at) - Date.now()) / 86_400_000).toBeGreaterThan(6.9);
    expect((await seller.client.get('/api/me')).headers.getSetCookie()).toEqual([]);

    await age('8 days');
    expect(await isIn(seller.client)).toBe(false);
  });

  test('cannot be made up', async () => {
    const seller = await panel.reseller();
    const [name, value = ''] = seller.client.cookie.split('=');
    const [token, signature] = decodeURIComponent(value).split('.');
    const client = panel.anonymous();
    for (const forged of [
      token,
      `${token}.`,
      `${token}.${'A'.repeat(43)}=`,
      `x.${signature}`,
      '%',
    ]) {
      client.cookie = `${name}=${forged === '%' ? '%' : encodeURIComponent(forged ?? '')}`;
      expect(await isIn(client), forged).toBe(false);
    }
  });
});

describe('changing the password', () => {
  const change = (client: TestClient, current_password: string, new_password: string) =>
    client.post('/api/auth/change-password', { current_password, new_password });

  test('ends every other session and lets only the new password in', {
    tags: ['spec:5.4'],
  }, async () => {
    const seller = await panel.reseller();
    const other = await anotherSession(seller);
    const reply = await change(seller.client, seller.password, 'a brand new password');
    expect(reply).toMatchObject({
      status: 200,
      body: { success: true, message: 'Password successfully changed' },
    });
    expect([await isIn(seller.client), await isIn(other)]).toEqual([true, false]);
    const signIn = (password: string) => new TestClient(panel.url).signIn(seller.email, password);
    expect((await signIn(seller.password)).status).toBe(401);
    expect((await signIn('a brand new password')).status).toBe(200);
  });

  test.each([
    ['wrong', 'a brand new password', 'current_password', 'The current password is wrong'],
    [null, '1234567', 'new_password', 'Password must be at least 8 characters'],
    [null, 'password123', 'new_password', 'This password is too common. Choose another one.'],
    ['', 'a brand new password', 'current_password', 'This field is required'],
  ])(
    'with %j and %j is refused at %s',
    { tags: ['spec:5.3'] },
    async (current, next, field, message) => {
      const seller = await panel.reseller();
      const other = await anotherSession(seller);
      expect(await change(seller.client, current ?? seller.password, next)).toMatchObject({
        status: 422,
        body: { fields: { [field]: message } },
      });
      expect(await isIn(other)).toBe(true);
      expect((await anotherSession(seller)).cookie).not.toBe('');
    },
  );

  test('may be tried five times with a wrong current password', async () => {
    const seller = await panel.reseller();
    const tries = await Promise.all(
      Array.from({ length: 8 }, () => change(seller.client, 'wrong', 'a brand new password')),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual([
      ...Array(5).fill(422),
      ...Array(3).fill(429),
    ]);
    expect((await change(seller.client, seller.password, 'a brand new password')).status).toBe(429);
  });
});

describe('the own account', () => {
  test('can be renamed; nothing else of it can be changed by its owner', {
    tags: ['spec:7.9'],
  }, async () => {
    const seller = await panel.reseller({ credits: 3 });
    const before = (await seller.client.get('/api/me')).body;
    const names = { full_name: '  Żaneta  ', username: 'zaneta' };
    for (const more of [
      { credits: 999 },
      { group_id: '1' },
      { is_admin: true },
      { email: 'other@panel.example' },
    ]) {
      const refused = await seller.client.patch('/api/me', { ...names, ...more });
      expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, Object.keys(more)]);
    }
    expect((await seller.client.get('/api/me')).body).toEqual(before);
    const { status, body } = await seller.client.patch('/api/me', names);
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, full_name: 'Żaneta', username: 'zaneta' });
    expect((await seller.client.get('/api/me')).body).toEqual(body);
  });

  test('keeps its username where none is given, and cannot lose it', async () => {
    const seller = await panel.reseller();
    expect((await seller.client.patch('/api/me', {})).body.username).toBe(seller.email);
    expect(await seller.client.patch('/api/me', { username: ' ' })).toMatchObject({
      status: 422,
      body: { fields: { username: 'This field is required' } },
    });
  });

  test('is not available without a session', { tags: ['spec:8.27'] }, async () => {
    for (const reply of [
      await panel.anonymous().get('/api/me'),
      await panel.anonymous().patch('/api/me', { full_name: 'x' }),
      await panel.anonymous().post('/api/auth/change-password', {}),
    ]) {
      expect(reply).toMatchObject({
        status: 401,
        body: { code: 'NO_AUTHENTICATED_USER', message: 'No authenticated user found' },
      });
    }
  });
});

test('everyone may read what the panel tells everyone', async () => {
  const reply = await panel.anonymous().get('/api/settings/public');
  expect(reply.body).toEqual({
    site_name: 'Linekeeper',
    sign_up_open: true,
    legal_notice: '',
    sends_mail: false,
    trial_days: 2,
    trial_limit: 5,
    trial_daily_limit: 20,
    reminder_hour: 8,
    articles_public: false,
    time_zone: ZONE,
    today: panel.services.today(),
  });
});
