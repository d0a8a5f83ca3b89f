// @module-tag thorough
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { dumpText } from '../../testing/database/dump.ts';
import { eventually } from '../../testing/eventually.ts';
import type { Mailbox } from '../../testing/mail/mailbox.ts';
import { startMailingPanel } from '../../testing/mail/mailing-panel.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';

vi.setConfig({ testTimeout: 120_000 });

const PATIENCE_MS = 60_000;
const NEW = 'a new long password';
const PATH = '/api/auth/request-password-reset';

let mailbox: Mailbox;
let panel: TestPanel;
let account: TestAccount;

const ask = (email: unknown, headers: Record<string, string> = {}) =>
  panel.anonymous().send('POST', PATH, { email }, headers);
const reset = (token: string, new_password = NEW) =>
  panel.anonymous().post('/api/auth/reset-password', { token, new_password });
const signIn = (email: string, password = NEW) => panel.anonymous().signIn(email, password);
const tokenFor = (email: string) => mailbox.tokenFor(email, '/reset-password');
const refused = { status: 422, body: { code: 'INVALID_RESET_LINK' } };
const clearLimits = () => panel.services.db.deleteFrom('rate_limits').execute();

const mails = () => panel.services.db.selectFrom('mails').selectAll().execute();
const nothingWaits = () => eventually(async () => expect(await mails()).toEqual([]), PATIENCE_MS);

/** Requests a link, waits for the mail, and returns the token of the link. */
async function mailedLink(email = account.email): Promise<string> {
  const earlier = mailbox.lettersTo(email).length;
  expect(await ask(email)).toMatchObject({ status: 200, body: { success: true } });
  await eventually(() => expect(mailbox.lettersTo(email)).toHaveLength(earlier + 1), PATIENCE_MS);
  await nothingWaits();
  return tokenFor(email);
}

const entriesOf = (id: string, action: 'account.mail_link' | 'account.reset_password') =>
  panel.services.db
    .selectFrom('audit_log')
    .select(['actor_id', 'address', 'request_id', 'data'])
    .where('subject_id', '=', id)
    .where('action', '=', action)
    .execute();

async function start(kind: (typeof databases)[number]): Promise<void> {
  ({ panel, mailbox } = await startMailingPanel(kind));
}

describe.each(databases)('a forgotten password on %s', (kind) => {
  beforeAll(() => start(kind));

  test('is replaced by the mailed link, once, and every session ends', async () => {
    account = await panel.reseller();
    const token = await mailedLink();
    const [letter] = mailbox.lettersTo(account.email);
    const link = `http://panel.example/reset-password?token=${token}`;
    expect(letter?.subject).toBe('Set a new password - Linekeeper');
    expect(letter?.text).toContain(`\n${link}\n`);
    expect(letter?.html).toContain(`<a href="${link}"`);
    expect(await reset(token)).toMatchObject({ status: 200 });
    expect((await account.client.get('/api/me')).status).toBe(401);
    expect((await signIn(account.email, account.password)).status).toBe(401);
    expect((await signIn(account.email)).status).toBe(200);
    expect(await reset(token)).toMatchObject(refused);
  });

  test('leaves no link in a queue, a log or an audit row, and says who asked from where', async () => {
    account = await panel.reseller();
    const token = await mailedLink();
    expect(JSON.stringify(await mails())).not.toContain(token);
    expect(await dumpText(panel.services.db)).not.toContain(token);
    const [entry, ...others] = await entriesOf(account.id, 'account.mail_link');
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ actor_id: null, address: '127.0.0.1' });
    expect(entry?.request_id).not.toBeNull();
  });
});

describe('a mailed link', () => {
  beforeAll(() => start('postgres'));
  beforeEach(async () => {
    account = await panel.reseller();
    mailbox.answerRecipient(() => undefined);
    await clearLimits();
  });

  test('ends with a newer one, whoever makes it, and ends those before', async () => {
    const first = await mailedLink();
    const second = await mailedLink();
    expect(await reset(first)).toMatchObject(refused);
    const { body } = await panel.admin.post(`/api/accounts/${account.id}/reset-link`);
    expect(await reset(second)).toMatchObject(refused);
    const made = new URL(body.url).searchParams.get('token') ?? '';
    const third = await mailedLink();
    expect(await reset(made)).toMatchObject(refused);
    expect((await reset(third)).status).toBe(200);
  });

  test('ends no invitation, which ends once a password is set', async () => {
    const email = 'invited@resellers.example';
    const { body } = await panel.admin.post('/api/accounts', { email, group_id: '2' });
    const { url } = (await panel.admin.post(`/api/accounts/${body.account.id}/reset-link`)).body;
    const invited = new URL(url).searchParams.get('token') ?? '';
    const mailed = await mailedLink(email);
    expect((await reset(invited)).status).toBe(200);
    expect(await reset(mailed)).toMatchObject(refused);
    expect(await reset(invited)).toMatchObject(refused);
  });

  test('lasts an hour', async () => {
    const token = await mailedLink();
    const { rows } = await sql<{ left: number }>`
      select extract(epoch from expires_at - now())::int as left from one_time_tokens
        where account_id = ${account.id}`.execute(panel.services.db);
    expect(rows[0]?.left).toBeGreaterThan(3500);
    expect(rows[0]?.left).toBeLessThanOrEqual(3600);
    await sql`update one_time_tokens set expires_at = now()
      where account_id = ${account.id}`.execute(panel.services.db);
    expect(await reset(token)).toMatchObject(refused);
  });

  test('that the mail server did not take ends none before, and the next try brings another', async () => {
    const first = await mailedLink();
    const stored = () =>
      panel.services.db
        .selectFrom('one_time_tokens')
        .selectAll()
        .where('account_id', '=', account.id)
        .execute();
    const before = await stored();
    let hasRefused = false;
    mailbox.answerRecipient(() => {
      if (hasRefused) return undefined;
      hasRefused = true;
      return '451 try again later';
    });
    await ask(account.email);
    await eventually(async () => {
      expect(hasRefused).toBe(true);
      expect((await mails()).map(({ attempts }) => attempts)).toEqual([1]);
    }, PATIENCE_MS);
    expect(await stored()).toEqual(before);
    await eventually(() => expect(mailbox.lettersTo(account.email)).toHaveLength(2), PATIENCE_MS);
    await nothingWaits();
    expect(await reset(first)).toMatchObject(refused);
    expect((await reset(await tokenFor(account.email))).status).toBe(200);
    expect(await entriesOf(account.id, 'account.mail_link')).toHaveLength(2);
  });

  test('to an address that refuses for good is given up, and the link before still works', async () => {
    const first = await mailedLink();
    const asked: string[] = [];
    mailbox.answerRecipient((recipient) => {
      asked.push(recipient);
      return '550 no such person';
    });
    await ask(account.email);
    await eventually(() => expect(asked).toEqual([account.email]), PATIENCE_MS);
    await nothingWaits();
    expect(asked).toHaveLength(1);
    expect((await reset(first)).status).toBe(200);
  });

  test('confirms the address of an account that was never confirmed', async () => {
    const email = 'never-confirmed@panel.example';
    const password = 'correct horse battery';
    await panel.anonymous().send('POST', '/api/auth/sign-up/email', { email, password });
    expect((await signIn(email, password)).status).toBe(401);
    await ask(email);
    const token = await tokenFor(email);
    await nothingWaits();
    expect((await reset(token)).status).toBe(200);
    expect((await signIn(email)).status).toBe(200);
  });

  test('is written in the language of the account, else in that of the browser', async () => {
    await ask(account.email, { 'accept-language': 'de-AT' });
    await tokenFor(account.email);
    expect(mailbox.lettersTo(account.email)[0]?.subject).toBe(
      'Neues Passwort festlegen - Linekeeper',
    );
    await nothingWaits();
    await account.client.patch('/api/me/settings', { language: 'pt' });
    await mailedLink();
    expect(mailbox.lettersTo(account.email)[1]?.text).toContain(
      'Foi pedida uma nova palavra-passe',
    );
  });

  test('carries the name of the site', async () => {
    await panel.admin.patch('/api/settings', { site_name: 'Łódź <b>& Lines' });
    await mailedLink();
    await panel.admin.patch('/api/settings', { site_name: 'Linekeeper' });
    const [letter] = mailbox.lettersTo(account.email);
    expect(letter?.subject).toBe('Set a new password - Łódź <b>& Lines');
    expect(letter?.from?.name).toBe('Łódź <b>& Lines');
    expect(letter?.text).toContain('on Łódź <b>& Lines.');
    expect(letter?.html).toContain('on Łódź &lt;b&gt;&amp; Lines.');
    expect(letter?.html).not.toContain('<b>');
  });
});

describe('asking for a link', () => {
  beforeAll(() => start('postgres'));
  beforeEach(async () => {
    account = await panel.reseller();
    await clearLimits();
  });

  test('is answered the same for every address, and only accounts that may sign in get a mail', async () => {
    const banned = await panel.reseller();
    await panel.admin.post(`/api/accounts/${banned.id}/ban`);
    const before = mailbox.letters.length;
    const replies = [];
    for (const email of [account.email, 'nobody@panel.example', banned.email]) {
      replies.push(await ask(email));
    }
    const [first] = replies;
    for (const reply of replies) {
      expect([reply.status, reply.body]).toEqual([200, { success: true }]);
      expect([...reply.headers.keys()]).toEqual([...(first?.headers.keys() ?? [])]);
    }
    await tokenFor(account.email);
    await nothingWaits();
    expect(mailbox.letters).toHaveLength(before + 1);
    expect(await dumpText(panel.services.db)).not.toContain('nobody@panel.example');
  });

  test('does the same work for every address', async () => {
    // Nothing leaves the outbox until the spy is restored.
    const pause = vi.spyOn(panel.services.connection, 'isDiskLow').mockReturnValue(true);
    const count = async () => (await mails()).length;
    const queued = [];
    for (const email of [account.email, 'nobody@panel.example']) {
      const before = await count();
      await ask(email);
      queued.push((await count()) - before);
    }
    pause.mockRestore();
    expect(queued).toEqual([1, 1]);
  });

  test('ten times an hour from one address', async () => {
    const statuses: number[] = [];
    for (let time = 0; time < 11; time++) statuses.push((await ask(`n${time}@x.example`)).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    const reply = await ask(account.email);
    expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
    await nothingWaits();
    expect(mailbox.lettersTo(account.email)).toEqual([]);
  });

  test('fills nobody’s mailbox, and keeps no other mail away', async () => {
    for (let time = 0; time < 8; time++) {
      expect((await ask(account.email)).status).toBe(200);
      await nothingWaits();
    }
    expect(mailbox.lettersTo(account.email)).toHaveLength(3);
    const last = await tokenFor(account.email);
    expect((await reset(last)).status).toBe(200);
    const { rows } = await sql<{ subject: string }>`
      select subject from rate_limits where scope = 'mail' and subject like ${`%${account.email}%`}`.execute(
      panel.services.db,
    );
    expect(rows.every(({ subject }) => subject.startsWith('reset_password '))).toBe(true);
  });

  test.each(['nobody', '', null, 'a@b.example\r\nBcc: c@d.example', 'a@b.example, c@d.example'])(
    'for %j is refused',
    async (email) => {
      expect(await ask(email)).toMatchObject({ status: 422 });
    },
  );
});

test('without a mail server the reply says so, for every address alike', async () => {
  panel = await startTestPanel();
  account = await panel.reseller();
  for (const email of [account.email, 'nobody@panel.example']) {
    expect(await ask(email)).toMatchObject({ status: 409, body: { code: 'NO_MAIL_SERVER' } });
  }
  expect((await panel.anonymous().get('/api/settings/public')).body.sends_mail).toBe(false);
});
