import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashCheaply, hashFully } from '../../testing/accounts/password-cost.ts';
import { TestClient } from '../../testing/client.ts';
import { ADMIN, startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';

beforeAll(hashFully);
afterAll(hashCheaply);

let panel: TestPanel;
let seller: TestAccount;
beforeAll(async () => {
  panel = await startTestPanel();
  seller = await panel.reseller();
});
beforeEach(() => panel.services.db.deleteFrom('rate_limits').execute());

const signIn = (email: string, password: string) =>
  new TestClient(panel.url).signIn(email, password);
const refused = {
  status: 401,
  body: { code: 'INVALID_CREDENTIALS', message: 'Invalid email or password', data: {} },
};

function ban(banned: boolean) {
  return panel.services.db
    .updateTable('auth_users')
    .set({ banned })
    .where('id', '=', seller.id)
    .execute();
}

describe('signing in', () => {
  test('opens a session in a cookie that scripts cannot read, and shows the account', {
    tags: ['spec:3.7', 'spec:7.1'],
  }, async () => {
    const reply = await signIn(` ${seller.email.toUpperCase()} `, seller.password);
    expect(reply).toMatchObject({
      status: 200,
      body: {
        user: {
          id: seller.id,
          email: seller.email,
          group_id: '2',
          permissions: ['view_users', 'add_credits'],
        },
      },
    });
    const [cookie = '', ...others] = reply.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(cookie).toMatch(/^linekeeper\.session=[^;]+;/);
    expect(cookie).toMatch(/; HttpOnly/i);
    expect(cookie).toMatch(/; SameSite=Lax/i);
    // The body must not contain any part of the token.
    const token = decodeURIComponent(/=([^;]+)/.exec(cookie)?.[1] ?? '').split('.')[0];
    expect(token?.length).toBeGreaterThan(20);
    expect(JSON.stringify(reply.body)).not.toContain(token);
  });

  test('shows an administrator 1000 credits and every permission', {
    tags: ['spec:4.17', 'spec:6.6', 'spec:9.8'],
  }, async () => {
    const { body } = await signIn(ADMIN.email, ADMIN.password);
    expect(body.user).toMatchObject({ credits: 1000, is_admin: true, group_id: '1' });
    expect(body.user.permissions).toHaveLength(7);
  });

  test('answers every cause in the same words', { tags: ['spec:8.43'] }, async () => {
    expect(await signIn(seller.email, 'wrong password')).toMatchObject(refused);
    expect(await signIn('nobody@panel.example', seller.password)).toMatchObject(refused);
    await ban(true);
    const banned = await signIn(seller.email, seller.password);
    await ban(false);
    expect(banned).toMatchObject(refused);
    expect(banned.headers.getSetCookie()).toEqual([]);
    expect((await signIn(seller.email, seller.password)).status).toBe(200);
  });

  test.each([
    [{ email: 'nobody', password: 'x' }, 'Enter a valid email address'],
    [{ email: 'a@b.example' }, 'Some fields are wrong or missing'],
    [{}, 'Enter a valid email address'],
  ])('needs both fields: %j', async (body, message) => {
    const reply = await panel.anonymous().send('POST', '/api/auth/sign-in/email', body);
    expect(reply).toMatchObject({ status: 422, body: { message } });
  });
});

describe('five wrong passwords', () => {
  const wrong = (email: string) => signIn(email, 'wrong password');
  const tooMany = {
    status: 429,
    body: { code: 'TOO_MANY_ATTEMPTS', message: 'Too many attempts. Please try again later.' },
  };

  test('lock the account for this address, even with the right password; other addresses may go on', async () => {
    const other = await panel.reseller();
    await panel.services.db.deleteFrom('rate_limits').execute();
    for (let time = 1; time <= 5; time++) expect((await wrong(seller.email)).status).toBe(401);
    for (const password of ['wrong password', seller.password]) {
      const reply = await signIn(seller.email, password);
      expect(reply).toMatchObject(tooMany);
      const seconds = Number(reply.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(300);
    }
    expect((await signIn(other.email, other.password)).status).toBe(200);
    // Existing sessions keep working.
    expect((await seller.client.get('/api/me')).status).toBe(200);
  });

  test('are not exceeded by twenty concurrent ones', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => wrong(seller.email)));
    expect(replies.map(({ status }) => status).sort()).toEqual([
      ...Array(5).fill(401),
      ...Array(15).fill(429),
    ]);
  });

  test('are forgotten when the window ends; a success in between costs nothing', async () => {
    for (let time = 1; time <= 4; time++) await wrong(seller.email);
    for (let time = 1; time <= 6; time++) {
      expect((await signIn(seller.email, seller.password)).status).toBe(200);
    }
    expect((await wrong(seller.email)).status).toBe(401);
    expect(await wrong(seller.email)).toMatchObject(tooMany);
    await panel.services.db
      .updateTable('rate_limits')
      .set({ window_ends_at: new Date(Date.now() - 1000) })
      .execute();
    expect((await signIn(seller.email, seller.password)).status).toBe(200);
  });

  test('lock an unknown account too, so that they do not reveal that it is unknown', async () => {
    const statuses: number[] = [];
    for (let time = 1; time <= 6; time++)
      statuses.push((await wrong('nobody@panel.example')).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });
});

test('the password is kept as argon2id only', async () => {
  const { rows } = await panel.services.db
    .selectFrom('auth_credentials')
    .select('password')
    .execute()
    .then((rows) => ({ rows }));
  for (const { password } of rows) expect(password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});
