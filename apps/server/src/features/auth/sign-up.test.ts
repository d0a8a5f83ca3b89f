import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TestClient } from '../../testing/client.ts';
import type { Mailbox } from '../../testing/mail/mailbox.ts';
import { startMailingPanel } from '../../testing/mail/mailing-panel.ts';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
const password = 'correct horse battery';
let made = 0;
const address = () => `guest-${++made}@panel.example`;

/** All these tests come from one address, which may sign up ten times an hour. */
const clearRateLimits = () => panel.services.db.deleteFrom('rate_limits').execute();
const signUp = (body: object) => panel.anonymous().send('POST', '/api/auth/sign-up/email', body);
const signIn = (email: string) => new TestClient(panel.url).signIn(email, password);

async function setSignUpOpen(isOpen: boolean): Promise<void> {
  await panel.services.db
    .updateTable('settings')
    .set({ value: JSON.stringify(isOpen) })
    .where('key', '=', 'sign_up_open')
    .execute();
}

describe('signing up without mail', () => {
  beforeAll(async () => {
    panel = await startTestPanel();
  });
  beforeEach(clearRateLimits);

  test('makes a user of group 3 who may sign in at once', {
    tags: ['spec:3.2', 'spec:3.4', 'spec:3.8', 'spec:5.1'],
  }, async () => {
    const email = address();
    const reply = await signUp({ email, password });
    expect(reply).toMatchObject({
      status: 200,
      body: { success: true, confirmation_needed: false },
    });
    expect(Object.keys(reply.body).sort()).toEqual(['confirmation_needed', 'success']);
    expect(reply.headers.getSetCookie()).toEqual([]);
    expect((await signIn(email)).body.user).toEqual({
      id: expect.any(String),
      email,
      username: email,
      full_name: '',
      credits: 0,
      group_id: '3',
      is_admin: false,
      permissions: [],
      status: 'active',
    });
  });

  test('keeps the name and username, and nothing that makes an administrator', {
    tags: ['spec:3.4', 'spec:5.1', 'spec:6.1', 'spec:7.2'],
  }, async () => {
    const email = address();
    const about = {
      email: ` ${email.toUpperCase()} `,
      password,
      name: 'Zoë Żółw',
      username: 'zoe',
    };
    const more = { group_id: '1', is_admin: true, credits: 100, email_verified: true };
    const refused = await signUp({ ...about, ...more });
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, Object.keys(more)]);
    await signUp(about);
    expect((await signIn(email)).body.user).toMatchObject({
      email,
      username: 'zoe',
      full_name: 'Zoë Żółw',
      group_id: '3',
      is_admin: false,
      credits: 0,
    });
  });

  test.each([
    [{ password: '1234567' }, 'password', 'Password must be at least 8 characters'],
    [{ password: undefined }, 'password', 'Password must be at least 8 characters'],
    [{ password: 'Password123' }, 'password', 'This password is too common. Choose another one.'],
    [{ password: 'x'.repeat(129) }, 'password', 'At most 128 characters'],
    [{ email: 'nobody' }, 'email', 'Enter a valid email address'],
    [{ email: undefined }, 'email', 'Enter a valid email address'],
  ])('refuses %j', { tags: ['spec:5.3', 'spec:9.14'] }, async (wrong, field, message) => {
    const email = address();
    expect(await signUp({ email, password, ...wrong })).toMatchObject({
      status: 422,
      body: { message, fields: { [field]: message } },
    });
    expect((await signIn(email)).status).toBe(401);
  });

  test('of a known address is refused, and the account stays as it is', async () => {
    const email = address();
    await signUp({ email, password });
    const again = await signUp({ email: email.toUpperCase(), password: 'another password' });
    expect(again).toMatchObject({
      status: 422,
      body: { code: 'COULD_NOT_CREATE_ACCOUNT', message: 'Could not create the account' },
    });
    expect((await signIn(email)).status).toBe(200);
  });

  test('can be closed', async () => {
    await setSignUpOpen(false);
    const email = address();
    expect(await signUp({ email, password })).toMatchObject({
      status: 403,
      body: { message: 'Sign-up is closed' },
    });
    const { body } = await panel.anonymous().get('/api/settings/public');
    expect(body.sign_up_open).toBe(false);
    await setSignUpOpen(true);
    expect((await signUp({ email, password })).status).toBe(200);
  });

  test('is allowed ten times an hour from one address', async () => {
    const replies = await Promise.all(
      Array.from({ length: 13 }, () => signUp({ email: address(), password })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    const refused = replies.filter(({ status }) => status !== 200);
    for (const { status, headers } of refused) {
      expect(status).toBe(429);
      const seconds = Number(headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(3000);
      expect(seconds).toBeLessThanOrEqual(3600);
    }
  });
});

describe('signing up with mail', () => {
  let mailbox: Mailbox;
  beforeAll(async () => {
    ({ panel, mailbox } = await startMailingPanel());
  });
  beforeEach(clearRateLimits);
  const confirm = (token: string) =>
    panel.anonymous().send('POST', '/api/auth/confirm-email', { token, password });

  test('waits for the link in the letter, which leads to the panel', {
    tags: ['spec:2.5', 'spec:5.2'],
  }, async () => {
    const email = address();
    expect(await signUp({ email, password })).toMatchObject({
      status: 200,
      body: { success: true, confirmation_needed: true },
    });
    expect(await signIn(email)).toMatchObject({
      status: 401,
      body: { message: 'Invalid email or password' },
    });

    const token = await mailbox.tokenFor(email);
    expect(mailbox.letters.at(-1)?.text).toContain(`http://panel.example/callback?token=${token}`);
    const reply = await confirm(token);
    expect(reply).toMatchObject({ status: 200, body: { success: true } });
    expect(reply.headers.getSetCookie()).toEqual([]);
    expect((await signIn(email)).status).toBe(200);
  });

  test('a letter never holds the password', () => {
    expect(mailbox.letters.map(({ raw }) => raw).join()).not.toContain(password);
  });

  test('a link that is made up or altered confirms nobody', async () => {
    const [email, other] = [address(), address()];
    await signUp({ email, password });
    await signUp({ email: other, password });
    const token = await mailbox.tokenFor(email);
    const [head, , signature] = token.split('.');
    const claims = Buffer.from(JSON.stringify({ email: other, exp: 4_102_444_800 }));
    for (const wrong of ['nonsense', `${head}.${claims.toString('base64url')}.${signature}`, '']) {
      expect((await confirm(wrong)).status).toBe(422);
    }
    expect((await confirm('nonsense')).body.message).toBe(
      'This confirmation link is invalid or has expired',
    );
    expect((await signIn(other)).status).toBe(401);

    // A link that is clicked twice still confirms the address, and signs nobody in.
    for (let time = 1; time <= 2; time++) {
      const reply = await confirm(token);
      expect(reply).toMatchObject({ status: 200, body: { success: true } });
      expect(reply.headers.getSetCookie()).toEqual([]);
    }
    expect((await signIn(email)).status).toBe(200);
    expect((await signIn(other)).status).toBe(401);
  });

  test('answers a known address exactly like a new one, and writes to it no more', async () => {
    const known = address();
    const first = await signUp({ email: known, password });
    await confirm(await mailbox.tokenFor(known));
    const letters = mailbox.letters.length;

    const again = await signUp({ email: known, password: 'taking over this' });
    const fresh = await signUp({ email: address(), password });
    for (const reply of [again, fresh]) {
      expect([reply.status, reply.body]).toEqual([first.status, first.body]);
      expect([...reply.headers.keys()]).toEqual([...first.headers.keys()]);
    }
    await expect.poll(() => mailbox.letters.length).toBe(letters + 1);
    expect((await signIn(known)).status).toBe(200);
    expect((await new TestClient(panel.url).signIn(known, 'taking over this')).status).toBe(401);
  });
});
