import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { challengeOf, turnOn } from '../../testing/accounts/two-factor.ts';
import { TestClient } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { type Mailbox, startMailbox } from '../../testing/mail/mailbox.ts';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';

vi.setConfig({ testTimeout: 120_000 });

const OWNERS = 'heron-on-the-lake-9';
const OTHERS = 'waits for the owner';
const NEW = 'a new long password';

let mailbox: Mailbox;
let panel: TestPanel;
beforeAll(async () => {
  mailbox = await startMailbox();
  panel = await startTestPanel('postgres', { SMTP_URL: mailbox.url });
});
beforeEach(() => panel.services.db.deleteFrom('rate_limits').execute());

/** A client that keeps its cookies, like a browser. */
class Browser extends TestClient {
  async visit(path: string, body: object) {
    const reply = await this.send('POST', path, body);
    const cookies = reply.headers.getSetCookie().map((header) => header.split(';')[0]);
    if (cookies.length > 0) this.cookie = cookies.join('; ');
    return reply;
  }
}

const address = () => `owner-${randomUUID()}@panel.example`;
const browser = () => new Browser(panel.url);

/** Signs up and waits for the mail. Returns the token of its link. */
async function signUp(client: Browser, email: string, password: string): Promise<string> {
  const letters = mailbox.lettersTo(email).length;
  const reply = await client.visit('/api/auth/sign-up/email', { email, password, name: '' });
  expect(reply.status).toBe(200);
  await eventually(() => expect(mailbox.lettersTo(email)).toHaveLength(letters + 1));
  return mailbox.tokenFor(email);
}
const confirm = (client: Browser, token: string, password?: string) =>
  client.visit('/api/auth/confirm-email', { token, password });
const canSignIn = async (email: string, password: string) =>
  (await browser().signIn(email, password)).status === 200;

/** Sets a new password by a mailed link. */
async function reset(email: string): Promise<void> {
  // Other mails, such as one about two-factor sign-in, may arrive in between.
  const links = () =>
    mailbox.lettersTo(email).filter(({ text }) => text.includes('/reset-password'));
  const before = links().length;
  await browser().send('POST', '/api/auth/request-password-reset', { email });
  await eventually(() => expect(links()).toHaveLength(before + 1));
  // The link works from the moment when the mail server has accepted the mail.
  await eventually(async () => {
    const token = await mailbox.tokenFor(email, '/reset-password');
    const body = { token, new_password: NEW };
    expect((await browser().post('/api/auth/reset-password', body)).status).toBe(200);
  });
}

async function signedIn(email: string, password: string) {
  const client = browser();
  expect((await client.signIn(email, password)).status).toBe(200);
  const { body } = await client.get('/api/me');
  return { id: body.id as string, email, password, client };
}

describe('a sign-up laid in wait under somebody else’s address', () => {
  test('ends when the owner signs up, whichever link is opened', async () => {
    const email = address();
    const [other, owner] = [browser(), browser()];
    const othersToken = await signUp(other, email, OTHERS);
    const ownersToken = await signUp(owner, email, OWNERS);
    expect((await confirm(owner, othersToken)).status).toBe(422);
    expect((await confirm(owner, ownersToken)).status).toBe(200);
    expect(await canSignIn(email, OTHERS)).toBe(false);
    expect(await canSignIn(email, OWNERS)).toBe(true);
  });

  test('does not take the place of a confirmed account', async () => {
    const email = address();
    const owner = browser();
    expect((await confirm(owner, await signUp(owner, email, OWNERS))).status).toBe(200);
    await browser().visit('/api/auth/sign-up/email', { email, password: OTHERS, name: 'Other' });
    expect(await canSignIn(email, OTHERS)).toBe(false);
    expect(await canSignIn(email, OWNERS)).toBe(true);
  });

  test('that comes after the owner’s is not confirmed by the owner, whose browser holds no proof of it', async () => {
    const email = address();
    const [other, owner] = [browser(), browser()];
    await signUp(owner, email, OWNERS);
    const othersToken = await signUp(other, email, OTHERS);
    for (const reader of [owner, browser()]) {
      const reply = await confirm(reader, othersToken);
      expect([reply.status, reply.body.code]).toEqual([403, 'SIGN_UP_PASSWORD_NEEDED']);
    }
    const wrong = await confirm(owner, othersToken, OWNERS);
    expect([wrong.status, wrong.body.fields]).toEqual([
      422,
      { password: 'This is not the password that was chosen at sign-up' },
    ]);
    expect(await canSignIn(email, OTHERS)).toBe(false);
    await reset(email);
    expect(await canSignIn(email, OTHERS)).toBe(false);
    expect(await canSignIn(email, NEW)).toBe(true);
  });

  test('is confirmed by whoever has its mail and its password, in any browser', async () => {
    const email = address();
    const token = await signUp(browser(), email, OWNERS);
    const reader = browser();
    expect((await confirm(reader, token, OTHERS)).status).toBe(422);
    expect((await confirm(reader, token, OWNERS)).status).toBe(200);
    expect(await canSignIn(email, OWNERS)).toBe(true);
    // The second attempt needs no password, because there is nothing left to confirm.
    expect((await confirm(browser(), token)).status).toBe(200);
  });

  test('has as few guesses as a sign-in', async () => {
    const email = address();
    const token = await signUp(browser(), email, OWNERS);
    const statuses: number[] = [];
    for (let time = 1; time <= 6; time++) {
      statuses.push((await confirm(browser(), token, OTHERS)).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
    expect((await confirm(browser(), token, OWNERS)).status).toBe(429);
  });

  test('beyond the mails of the hour leaves what was mailed last', async () => {
    const email = address();
    for (let time = 1; time <= 2; time++) await signUp(browser(), email, OTHERS);
    const owner = browser();
    const token = await signUp(owner, email, OWNERS);
    for (let time = 1; time <= 2; time++) {
      const body = { email, password: OTHERS, name: 'Other' };
      expect((await browser().visit('/api/auth/sign-up/email', body)).body).toEqual({
        success: true,
        confirmation_needed: true,
      });
    }
    expect((await confirm(owner, token)).status).toBe(200);
    expect(await canSignIn(email, OTHERS)).toBe(false);
    expect((await signedIn(email, OWNERS)).id).toEqual(expect.any(String));
  });

  test('ends no link that the owner has to set a password', async () => {
    const email = address();
    await signUp(browser(), email, OTHERS);
    await browser().send('POST', '/api/auth/request-password-reset', { email });
    const token = await mailbox.tokenFor(email, '/reset-password');
    // The link works from the moment when the mail server has accepted the mail.
    await eventually(async () => {
      const links = await panel.services.db
        .selectFrom('one_time_tokens')
        .innerJoin('auth_users', 'auth_users.id', 'account_id')
        .select('account_id')
        .where('purpose', '=', 'reset_password')
        .where('email', '=', email)
        .execute();
      expect(links).toHaveLength(1);
    });
    await signUp(browser(), email, OTHERS);
    const body = { token, new_password: NEW };
    expect((await browser().post('/api/auth/reset-password', body)).status).toBe(200);
    expect(await canSignIn(email, OTHERS)).toBe(false);
    expect(await canSignIn(email, NEW)).toBe(true);
  });

  test('is named in the mail by the name that was given, unless that could lead somewhere', async () => {
    const [named, leading] = [address(), address()];
    for (const [email, name] of [
      [named, 'Zoë Żółw'],
      [leading, 'Win at evil.example'],
    ] as const) {
      await browser().visit('/api/auth/sign-up/email', { email, password: OTHERS, name });
      await mailbox.tokenFor(email);
    }
    expect(mailbox.lettersTo(named)[0]?.text).toContain('The name given at sign-up: Zoë Żółw');
    expect(mailbox.lettersTo(leading)[0]?.raw).not.toContain('evil.example');
    expect(mailbox.lettersTo(leading)[0]?.text).not.toContain('The name given at sign-up');
  });

  test('that was confirmed without a proof ends with a reset, and so does its second step', async () => {
    const email = address();
    await confirm(browser(), await signUp(browser(), email, OTHERS), OTHERS);
    // Panels before 1.1.0 stored the row in this form.
    await panel.services.db
      .updateTable('auth_users')
      .set({ is_mailbox_proven: false })
      .where('email', '=', email)
      .execute();
    const other = await signedIn(email, OTHERS);
    await turnOn(panel.services.db, other);

    await reset(email);
    expect(await canSignIn(email, OTHERS)).toBe(false);
    expect((await other.client.get('/api/me')).status).toBe(401);
    // With two-factor sign-in, the reply would have a challenge instead of a session.
    const owner = await signedIn(email, NEW);
    expect((await owner.client.get('/api/me')).body.email).toBe(email);
  });
});

describe('a second step of the mailbox’s owner survives a reset', () => {
  test.each([
    ['the browser that signed up', undefined],
    ['the password of the sign-up', OWNERS],
  ])('if %s has confirmed', async (_, password) => {
    const email = address();
    const owner = browser();
    const token = await signUp(owner, email, OWNERS);
    expect((await confirm(password ? browser() : owner, token, password)).status).toBe(200);
    await turnOn(panel.services.db, await signedIn(email, OWNERS));
    await reset(email);
    expect(await challengeOf(panel.url, { email, password: NEW })).toEqual(expect.any(String));
  });

  test('if the password was set by a mailed link before', async () => {
    const email = address();
    await signUp(browser(), email, OWNERS);
    await reset(email);
    await turnOn(panel.services.db, await signedIn(email, NEW));
    await reset(email);
    expect(await challengeOf(panel.url, { email, password: NEW })).toEqual(expect.any(String));
  });
});
