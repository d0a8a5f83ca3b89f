import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { TestClient } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { type Mailbox, startMailbox } from '../../testing/mailbox.ts';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { challengeOf, turnOn } from '../../testing/two-factor.ts';

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
afterAll(async () => {
  await panel?.stop();
  await mailbox?.close();
});

/** A browser, which keeps its cookies. */
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

/** Signs up, and waits for the letter. Returns its token. */
async function signUp(client: Browser, email: string, password: string): Promise<string> {
  const letters = mailbox.lettersTo(email).length;
  const reply = await client.visit('/api/auth/sign-up/email', { email, password, name: '' });
  expect(reply.status).toBe(200);
  await eventually(() => expect(mailbox.lettersTo(email)).toHaveLength(letters + 1));
  return mailbox.tokenFor(email);
}
const confirm = (client: Browser, token: string) =>
  client.visit('/api/auth/confirm-email', { token });
const canSignIn = async (email: string, password: string) =>
  (await browser().signIn(email, password)).status === 200;

/** Sets a new password by a mailed link. */
async function reset(email: string): Promise<void> {
  // Other letters, such as one about two-factor sign-in, may come meanwhile.
  const links = () =>
    mailbox.lettersTo(email).filter(({ text }) => text.includes('/reset-password'));
  const before = links().length;
  await browser().send('POST', '/api/auth/request-password-reset', { email });
  await eventually(() => expect(links()).toHaveLength(before + 1));
  // The link works from when the mail server has taken the letter.
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

  test('that the owner confirmed by mistake ends with a reset, and so does its second step', async () => {
    const email = address();
    await confirm(browser(), await signUp(browser(), email, OTHERS));
    const other = await signedIn(email, OTHERS);
    await turnOn(panel.services.db, other);

    await reset(email);
    expect(await canSignIn(email, OTHERS)).toBe(false);
    expect((await other.client.get('/api/me')).status).toBe(401);
    // A second step would be asked for by a challenge instead of a session.
    const owner = await signedIn(email, NEW);
    expect((await owner.client.get('/api/me')).body.email).toBe(email);
  });
});

describe('a second step of the mailbox’s owner survives a reset', () => {
  test('if the browser that signed up has confirmed', async () => {
    const email = address();
    const owner = browser();
    await confirm(owner, await signUp(owner, email, OWNERS));
    await turnOn(panel.services.db, await signedIn(email, OWNERS));
    await reset(email);
    expect(await challengeOf(panel.url, { email, password: NEW })).toEqual(expect.any(String));
  });

  test('if the password was set by a mailed link before', async () => {
    const email = address();
    await confirm(browser(), await signUp(browser(), email, OWNERS));
    await reset(email);
    await turnOn(panel.services.db, await signedIn(email, NEW));
    await reset(email);
    expect(await challengeOf(panel.url, { email, password: NEW })).toEqual(expect.any(String));
  });
});

test('a browser that signed up proves nothing about a later sign-up of somebody else', async () => {
  const email = address();
  const [owner, other] = [browser(), browser()];
  await signUp(owner, email, OWNERS);
  const othersToken = await signUp(other, email, OTHERS);
  await confirm(owner, othersToken);
  await turnOn(panel.services.db, await signedIn(email, OTHERS));
  await reset(email);
  await signedIn(email, NEW);
});
