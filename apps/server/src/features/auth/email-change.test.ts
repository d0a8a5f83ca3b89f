// @module-tag thorough

import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { healClock } from '../../heal-clock.ts';
import { TestClient } from '../../testing/client.ts';
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
import { correctClock } from '../../testing/process/shifted-clock.ts';

vi.setConfig({ testTimeout: 120_000 });

const PATIENCE_MS = 60_000;
let made = 0;
const address = () => `moved-${++made}@panel.example`;
const isIn = async (client: TestClient) => (await client.get('/api/me')).status === 200;

describe.each(databases)('a new email address with mail on %s', (kind) => {
  let mailbox: Mailbox;
  let panel: TestPanel;
  beforeAll(async () => {
    ({ panel, mailbox } = await startMailingPanel(kind));
  });
  beforeEach(() => panel.services.db.deleteFrom('rate_limits').execute());

  const ask = ({ client, password }: TestAccount, new_email: string) =>
    client.post('/api/auth/change-email', { current_password: password, new_email });
  const confirm = (token: string, client = panel.anonymous()) =>
    client.send('POST', '/api/auth/confirm-email', { token });
  const waiting = async ({ client }: TestAccount) =>
    (await client.get('/api/auth/change-email')).body;
  const signIn = (email: string, password: string) =>
    new TestClient(panel.url).signIn(email, password);
  const nothingWaits = () =>
    eventually(async () => {
      expect(await panel.services.db.selectFrom('mails').selectAll().execute()).toHaveLength(0);
    }, PATIENCE_MS);
  const letter = (to: string, words: string) =>
    eventually(() => {
      const found = mailbox.lettersTo(to).find(({ text }) => text.includes(words));
      expect(found, `${words} to ${to}`).toBeDefined();
    }, PATIENCE_MS);

  test('is confirmed before it changes; the old one is told, other sessions end', async () => {
    const seller = await panel.reseller();
    const other = new TestClient(panel.url);
    await other.signIn(seller.email, seller.password);
    const email = address();
    expect(await ask(seller, ` ${email.toUpperCase()} `)).toMatchObject({
      status: 200,
      body: { success: true, confirmation_needed: true },
    });
    const token = await mailbox.tokenFor(email);
    await letter(seller.email, `has asked to change its email address to ${email}`);
    expect(await waiting(seller)).toMatchObject({ new_email: email });
    // Nothing has changed yet.
    expect((await seller.client.get('/api/me')).body.email).toBe(seller.email);
    expect((await signIn(seller.email, seller.password)).status).toBe(200);
    expect(await isIn(other)).toBe(true);
    expect(await dumpText(panel.services.db)).not.toContain(token.split('.')[1]);

    const confirmed = await confirm(token);
    expect(confirmed).toMatchObject({ status: 200, body: { success: true } });
    expect(confirmed.headers.getSetCookie()).toEqual([]);
    expect((await seller.client.get('/api/me')).body.email).toBe(email);
    expect(await isIn(other)).toBe(false);
    expect(await waiting(seller)).toBeNull();
    expect((await signIn(seller.email, seller.password)).status).toBe(401);
    expect((await signIn(email, seller.password)).status).toBe(200);
    await letter(seller.email, `is now ${email}`);
    expect((await confirm(token)).body.code).toBe('INVALID_CONFIRMATION');
    const audited = await panel.services.db
      .selectFrom('audit_log')
      .select(['actor_id', 'action', 'before', 'after', 'data'])
      .where('subject_id', '=', seller.id)
      .where('action', 'like', '%email%')
      .orderBy('created_at')
      .execute();
    expect(audited).toEqual([
      expect.objectContaining({ action: 'account.ask_email_change', data: { new_email: email } }),
      expect.objectContaining({
        actor_id: seller.id,
        action: 'account.change_email',
        before: { email: seller.email },
        after: { email },
      }),
    ]);
  });

  // The rest uses the same statements on both databases.
  if (kind === 'embedded') return;

  test('that another account has is answered alike, and sent nothing', async () => {
    const [seller, other] = [await panel.reseller(), await panel.reseller()];
    const free = address();
    const taken = await ask(seller, other.email);
    const takenState = await waiting(seller);
    await letter(seller.email, `address to ${other.email}`);
    await nothingWaits();
    const open = await ask(seller, free);
    expect([taken.status, taken.body]).toEqual([open.status, open.body]);
    expect(Object.keys(takenState)).toEqual(Object.keys(await waiting(seller)));
    await mailbox.tokenFor(free);
    expect(mailbox.lettersTo(other.email)).toEqual([]);
  });

  test('that another account took meanwhile is not confirmed', async () => {
    const seller = await panel.reseller();
    const email = address();
    await ask(seller, email);
    const token = await mailbox.tokenFor(email);
    await panel.admin.post('/api/accounts', { email, password: 'a long password' });
    expect(await confirm(token)).toMatchObject({
      status: 422,
      body: { code: 'INVALID_CONFIRMATION' },
    });
    expect((await seller.client.get('/api/me')).body.email).toBe(seller.email);
  });

  test('goes to one of two accounts that confirm it at the same time', async () => {
    const [one, two] = [await panel.reseller(), await panel.reseller()];
    const email = address();
    await ask(one, email);
    const first = await mailbox.tokenFor(email);
    await nothingWaits();
    await ask(two, email);
    await eventually(() => expect(mailbox.lettersTo(email)).toHaveLength(2), PATIENCE_MS);
    const replies = await Promise.all([confirm(first), confirm(await mailbox.tokenFor(email))]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  test.each([
    ['cancelled', ({ client }: TestAccount) => client.delete('/api/auth/change-email')],
    ['replaced by another', (seller: TestAccount) => ask(seller, address())],
    [
      'stopped by a change of the password',
      ({ client, password }: TestAccount) =>
        client.post('/api/auth/change-password', {
          current_password: password,
          new_password: 'a brand new password',
        }),
    ],
    ['stopped by a ban', ({ id }: TestAccount) => panel.admin.post(`/api/accounts/${id}/ban`)],
    [
      'an hour old',
      () =>
        sql`update one_time_tokens set expires_at = expires_at - interval '3601 seconds'`.execute(
          panel.services.db,
        ),
    ],
    [
      'from a clock that was ahead',
      async () => {
        await correctClock(panel.services.db, -1);
        await healClock(panel.services);
      },
    ],
  ])('has a link that is dead once it is %s', async (_, end) => {
    const seller = await panel.reseller();
    const email = address();
    await ask(seller, email);
    const token = await mailbox.tokenFor(email);
    await end(seller);
    expect((await confirm(token)).body.code).toBe('INVALID_CONFIRMATION');
    expect((await signIn(email, seller.password)).status).toBe(401);
  });

  test('has a link that nobody can make or alter', async () => {
    const seller = await panel.reseller();
    const email = address();
    await ask(seller, email);
    const token = await mailbox.tokenFor(email);
    const [id = '', signature = ''] = token.split('.');
    const other = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
    for (const forged of [id, `${id}.`, `${other}.${signature}`, `${token}.x`, `${id}.${id}`]) {
      expect((await confirm(forged)).body.code, forged).toBe('INVALID_CONFIRMATION');
    }
    expect((await confirm(token)).status).toBe(200);
  });

  test('can be asked for five times an hour; its warnings come besides other mails', async () => {
    const seller = await panel.reseller();
    for (let time = 1; time <= 5; time++) {
      const email = address();
      expect((await ask(seller, email)).status).toBe(200);
      await letter(seller.email, `address to ${email}`);
    }
    expect((await ask(seller, address())).status).toBe(429);
  });
});

describe('a new email address without mail', () => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await startTestPanel();
  });
  beforeEach(() => panel.services.db.deleteFrom('rate_limits').execute());
  const ask = ({ client }: TestAccount, current_password: string, new_email: string) =>
    client.post('/api/auth/change-email', { current_password, new_email });

  test('is there at once, and ends other sessions', async () => {
    const seller = await panel.reseller();
    const other = new TestClient(panel.url);
    await other.signIn(seller.email, seller.password);
    const email = address();
    expect(await ask(seller, seller.password, email)).toMatchObject({
      status: 200,
      body: { success: true, confirmation_needed: false },
    });
    expect((await seller.client.get('/api/me')).body.email).toBe(email);
    expect(await isIn(other)).toBe(false);
    expect((await new TestClient(panel.url).signIn(email, seller.password)).status).toBe(200);
    expect((await seller.client.get('/api/auth/change-email')).body).toBeNull();
  });

  test.each([
    ['wrong', () => address(), 'current_password', 'The current password is wrong'],
    [null, (own: string) => own.toUpperCase(), 'new_email', 'The account already has this address'],
    [null, () => 'nowhere', 'new_email', 'Enter a valid email address'],
    [null, () => 'admin@panel.example', 'new_email', 'Could not change the email address'],
  ])('with password %j is refused at its field', async (given, emailOf, field, message) => {
    const seller = await panel.reseller();
    const reply = await ask(seller, given ?? seller.password, emailOf(seller.email));
    expect(reply).toMatchObject({ status: 422, body: { fields: { [field]: message } } });
    expect((await seller.client.get('/api/me')).body.email).toBe(seller.email);
  });

  test('goes to one of ten accounts that ask at the same time', async () => {
    const sellers = await Promise.all(Array.from({ length: 10 }, () => panel.reseller()));
    const email = address();
    const replies = await Promise.all(sellers.map((seller) => ask(seller, seller.password, email)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(422)]);
  });

  test('takes five wrong passwords, and no visitor', async () => {
    const seller = await panel.reseller();
    const tries = await Promise.all(
      Array.from({ length: 8 }, () => ask(seller, 'wrong', address())),
    );
    expect(tries.filter(({ status }) => status === 422)).toHaveLength(5);
    expect((await panel.anonymous().post('/api/auth/change-email', {})).status).toBe(401);
  });
});
