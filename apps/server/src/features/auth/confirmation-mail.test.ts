// @module-tag thorough
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { TestClient } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { type Mailbox, startMailbox } from '../../testing/mail/mailbox.ts';
import { startMailingPanel } from '../../testing/mail/mailing-panel.ts';
import { databases, startTestPanel, type TestPanel } from '../../testing/panel.ts';

vi.setConfig({ testTimeout: 120_000 });

const PATIENCE_MS = 60_000;
const password = 'correct horse battery';
let made = 0;
const address = () => `waiting-${++made}@panel.example`;

describe.each(databases)('the confirmation mail on %s', (kind) => {
  let mailbox: Mailbox;
  let panel: TestPanel;
  beforeAll(async () => {
    ({ panel, mailbox } = await startMailingPanel(kind));
  });
  // Resets the limits on sign-ups and sign-ins, which other tests cover.
  beforeEach(async () => {
    await clearRateLimits();
    mailbox.answerRecipient(() => undefined);
  });

  const clearRateLimits = () =>
    panel.services.db.deleteFrom('rate_limits').where('scope', '<>', 'mail').execute();
  const signUp = (email: string, headers: Record<string, string> = {}) =>
    panel.anonymous().send('POST', '/api/auth/sign-up/email', { email, password }, headers);
  const signIn = (email: string) => new TestClient(panel.url).signIn(email, password);
  const mails = () => panel.services.db.selectFrom('mails').selectAll().execute();
  const nothingWaits = () => eventually(async () => expect(await mails()).toEqual([]), PATIENCE_MS);

  test('arrives when the mail server is back, and its link confirms', async () => {
    const port = Number(new URL(mailbox.url).port);
    await mailbox.close();
    const email = address();
    expect(await signUp(email)).toMatchObject({ status: 200, body: { confirmation_needed: true } });
    await eventually(async () => {
      expect((await mails()).map(({ attempts }) => attempts)).toContain(1);
    }, PATIENCE_MS);

    mailbox = await startMailbox(port);
    const token = await mailbox.tokenFor(email);
    expect(JSON.stringify(await mails())).not.toContain(token);
    await nothingWaits();
    expect(mailbox.lettersTo(email)).toHaveLength(1);
    const confirmed = await panel
      .anonymous()
      .send('POST', '/api/auth/confirm-email', { token, password });
    expect(confirmed.status).toBe(200);
    expect((await signIn(email)).status).toBe(200);
  });

  // Both databases use the same queue. That a mail outlives a panel is tested in process-tests.
  if (kind === 'embedded') return;

  test('is sent again to an address that the server put off, and arrives once', async () => {
    const email = address();
    const asked: string[] = [];
    mailbox.answerRecipient((recipient) => {
      asked.push(recipient);
      return asked.length === 1 ? '451 try again later' : undefined;
    });
    await signUp(email);
    await mailbox.tokenFor(email);
    await nothingWaits();
    expect(asked).toEqual([email, email]);
    expect(mailbox.lettersTo(email)).toHaveLength(1);
  });

  test('to an address that is refused for good is given up; asking again sends another', async () => {
    const email = address();
    const asked: string[] = [];
    mailbox.answerRecipient((recipient) => {
      asked.push(recipient);
      return '550 no such person';
    });
    await signUp(email);
    await eventually(() => expect(asked).toEqual([email]), PATIENCE_MS);
    await nothingWaits();
    expect(asked).toEqual([email]);

    mailbox.answerRecipient(() => undefined);
    expect((await signIn(email)).status).toBe(401);
    await mailbox.tokenFor(email);
  });

  test('comes again to who signs up again, with the same answer, and proves the latest sign-up alone', async () => {
    const email = address();
    const first = await signUp(email);
    await mailbox.tokenFor(email);
    const firstToken = await mailbox.tokenFor(email);
    await nothingWaits();
    const again = await panel
      .anonymous()
      .send('POST', '/api/auth/sign-up/email', { email, password: 'taking over this' });
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect([...again.headers.keys()]).toEqual([...first.headers.keys()]);
    await eventually(() => expect(mailbox.lettersTo(email)).toHaveLength(2), PATIENCE_MS);
    const confirm = (token: string) =>
      panel
        .anonymous()
        .send('POST', '/api/auth/confirm-email', { token, password: 'taking over this' });
    expect((await confirm(firstToken)).status).toBe(422);
    expect((await confirm(await mailbox.tokenFor(email))).status).toBe(200);
    expect((await signIn(email)).status).toBe(401);
    expect((await new TestClient(panel.url).signIn(email, 'taking over this')).status).toBe(200);
  });

  test('comes three times an hour at most, however often it is asked for', async () => {
    const [email, other] = [address(), address()];
    await signUp(email);
    await nothingWaits();
    for (let time = 1; time <= 10; time++) {
      await clearRateLimits();
      expect(await signIn(email)).toMatchObject({
        status: 401,
        body: { message: 'Invalid email or password' },
      });
      await nothingWaits();
    }
    expect(mailbox.lettersTo(email)).toHaveLength(3);
    expect((await signUp(email)).status).toBe(200);
    await nothingWaits();
    expect(mailbox.lettersTo(email)).toHaveLength(3);
    // The hour after the first request is over.
    await sql`update rate_limits set window_ends_at = now() - interval '1 second'
      where scope = 'mail' and subject = ${`confirm_email ${email}`}`.execute(panel.services.db);
    await signIn(email);
    await nothingWaits();
    expect(mailbox.lettersTo(email)).toHaveLength(4);
    await signUp(other);
    await mailbox.tokenFor(other);
  });

  test("is written in the reader's language", async () => {
    const [german, chosen] = [address(), address()];
    await signUp(german, { 'accept-language': 'fr-CH, de-CH;q=0.9, en;q=0.8' });
    await mailbox.tokenFor(german);
    expect(mailbox.lettersTo(german)[0]?.text).toContain('Willkommen bei Linekeeper');

    await signUp(chosen, { 'accept-language': 'nonsense' });
    await mailbox.tokenFor(chosen);
    expect(mailbox.lettersTo(chosen)[0]?.text).toContain('Welcome to Linekeeper');
    await nothingWaits();
    await panel.services.db
      .insertInto('account_settings')
      .columns(['account_id', 'value'])
      .expression((eb) =>
        eb
          .selectFrom('auth_users')
          .select(['id', sql<string>`'{"language": "pl"}'::jsonb`.as('value')])
          .where('email', '=', chosen),
      )
      .execute();
    await signIn(chosen);
    await eventually(() => expect(mailbox.lettersTo(chosen)).toHaveLength(2), PATIENCE_MS);
    expect(mailbox.lettersTo(chosen)[1]?.text).toContain('Witamy w panelu Linekeeper');
  });
});

test('without a mail server nothing is queued', async () => {
  const panel = await startTestPanel();
  const body = { email: address(), password };
  expect((await panel.anonymous().send('POST', '/api/auth/sign-up/email', body)).status).toBe(200);
  expect(await panel.services.db.selectFrom('mails').selectAll().execute()).toHaveLength(0);
});
