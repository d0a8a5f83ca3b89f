import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { challengeOf, codeOf, secondStep, turnOn } from '../../testing/accounts/two-factor.ts';
import { TestClient } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { isMailWaiting, type Mailbox, startMailbox } from '../../testing/mail/mailbox.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
  panel = await startTestPanel('postgres', {
    SMTP_URL: mailbox.url,
    PUBLIC_URL: 'https://panel.example',
  });
});
beforeEach(() => panel.services.db.deleteFrom('rate_limits').execute());
afterAll(async () => {
  await panel?.stop();
  await mailbox?.close();
});

const path = ({ id }: { id: string }) => `/api/accounts/${id}/two-factor`;
const disable = (account: { id: string }, client = panel.admin) =>
  client.post(`${path(account)}/disable`);

async function withTwoFactor() {
  const account = await panel.reseller();
  return { account, ...(await turnOn(panel.services.db, account)) };
}

const entriesOf = ({ id }: TestAccount) =>
  panel.services.db
    .selectFrom('audit_log')
    .select(['actor_id', 'action'])
    .where('subject_id', '=', id)
    .where('action', '=', 'account.two_factor_off')
    .execute();

const titlesOf = async ({ id }: TestAccount) => {
  const rows = await panel.services.db
    .selectFrom('notifications')
    .select(['title', isMailWaiting.as('is_mailed')])
    .where('account_id', '=', id)
    .execute();
  return rows;
};

test('an administrator turns it off: the password does again, and its sessions have ended', async () => {
  const { account } = await withTwoFactor();
  const waiting = await challengeOf(panel.url, account);
  expect((await panel.admin.get(path(account))).body).toEqual({ is_on: true });
  expect(await disable(account)).toMatchObject({ status: 200, body: { success: true } });
  expect((await panel.admin.get(path(account))).body).toEqual({ is_on: false });
  expect((await account.client.get('/api/me')).status).toBe(401);
  const recovered = await secondStep(new TestClient(panel.url), {
    challenge: waiting,
    code: '123456',
  });
  expect(recovered.body.code).toBe('CHALLENGE_ENDED');
  const again = await new TestClient(panel.url).signIn(account.email, account.password);
  expect([again.status, again.body.user?.email]).toEqual([200, account.email]);
  const me = (await panel.admin.get('/api/me')).body;
  expect(await entriesOf(account)).toEqual([{ actor_id: me.id, action: 'account.two_factor_off' }]);
});

test('its owner is told on the panel and by mail in its language, whatever mails it turned off', async () => {
  const { account } = await withTwoFactor();
  const mails = {
    lines_expiring: false,
    low_balance: false,
    server_error: false,
    new_account: false,
    top_ups: false,
  };
  await account.client.patch('/api/me/settings', { language: 'de', mails });
  await disable(account);
  expect(await titlesOf(account)).toEqual([
    { title: 'Zwei-Faktor-Anmeldung von einem Administrator ausgeschaltet', is_mailed: false },
  ]);
  await eventually(() => {
    const subjects = mailbox.lettersTo(account.email).map(({ subject }) => subject);
    expect(subjects).toContain(
      'Die Zwei-Faktor-Anmeldung wurde von einem Administrator ausgeschaltet',
    );
  });
});

test('once: a second time nothing is on, and nobody is told again', async () => {
  const { account } = await withTwoFactor();
  const replies = await Promise.all([disable(account), disable(account), disable(account)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(replies.find(({ status }) => status === 409)?.body.code).toBe('TWO_FACTOR_IS_OFF');
  expect(await entriesOf(account)).toHaveLength(1);
  expect(await titlesOf(account)).toHaveLength(1);
});

test('by nobody else, not by an API key, and not the own one', async () => {
  const { account, secret } = await withTwoFactor();
  const owner = await panel.reseller();
  await panel.admin.patch(`/api/accounts/${account.id}`, { owner_id: owner.id });
  const seller = await disable(account, owner.client);
  expect([seller.status, (await owner.client.get(path(account))).status]).toEqual([403, 403]);
  const group = await panel.admin.post('/api/groups', {
    name: 'Managers of resellers',
    permissions: ['manage_resellers', 'view_resellers', 'add_credits'],
  });
  const manager = await panel.reseller({ credits: 0, group_id: group.body.group.id });
  expect((await disable(account, manager.client)).status).toBe(403);

  const administrator = await panel.reseller({ credits: 0, group_id: '1' });
  const made = await administrator.client.post('/api/auth/api-keys', { name: 'Script' });
  const byKey = Object.assign(new TestClient(panel.url), { apiKey: made.body.key });
  const refused = await disable(account, byKey);
  expect([refused.status, refused.body.code]).toEqual([403, 'SESSION_REQUIRED']);
  await turnOn(panel.services.db, administrator);
  const own = await disable(administrator, administrator.client);
  expect([own.status, own.body.fields]).toEqual([422, { id: 'Invalid user ID' }]);
  const missing = await disable({ id: crypto.randomUUID() });
  expect([missing.status, missing.body.message]).toEqual([404, 'User not found']);

  // Sign-in still asks for the second step.
  const challenge = await challengeOf(panel.url, account);
  const signedIn = await secondStep(new TestClient(panel.url), {
    challenge,
    code: await codeOf(panel.services.db, secret),
  });
  expect(signedIn.status).toBe(200);
});

test('an administrator helps another one', async () => {
  const other = await panel.reseller({ credits: 0, group_id: '1' });
  await turnOn(panel.services.db, other);
  expect((await disable(other)).status).toBe(200);
});
