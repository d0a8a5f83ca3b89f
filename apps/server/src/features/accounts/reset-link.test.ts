import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deleteExpiredTokens } from '../../domain/accounts/one-time-tokens.ts';
import { healClock } from '../../heal-clock.ts';
import { dumpText } from '../../testing/database/dump.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';
import { openStream } from '../../testing/wire/streams.ts';

let panel: TestPanel;
let top: TestAccount;
let account: TestAccount;
beforeAll(async () => {
  panel = await startTestPanel();
  top = await panel.reseller();
});
beforeEach(async () => {
  account = await panel.below(top);
  await panel.services.db.deleteFrom('rate_limits').execute();
});
afterAll(() => panel?.stop());

const NEW = 'a new long password';
const link = ({ id }: { id: string }, client = panel.admin) =>
  client.post(`/api/accounts/${id}/reset-link`);
const reset = (token: string, new_password: unknown = NEW) =>
  panel.anonymous().post('/api/auth/reset-password', { token, new_password });

async function tokenOf(client = panel.admin, of = account): Promise<string> {
  const { body } = await link(of, client);
  return new URL(body.url).searchParams.get('token') ?? '';
}

const refused = { status: 422, body: { code: 'INVALID_RESET_LINK' } };

async function managerWith(...permissions: string[]): Promise<TestAccount> {
  const id = permissions.join('-');
  await panel.services.db
    .insertInto('groups')
    .values({ id, name: id, permissions })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return panel.reseller({ credits: 0, group_id: id });
}

describe('a reset link', () => {
  test('leads to the page, lasts an hour, sets the password once and ends all sessions', async () => {
    const { status, body } = await link(account, top.client);
    expect(status).toBe(200);
    const url = new URL(body.url);
    expect(url.pathname).toBe('/reset-password');
    const left = Date.parse(body.expires_at) - Date.now();
    expect(Math.round(left / 60_000)).toBe(60);
    const stream = await openStream(account.client);
    const token = url.searchParams.get('token') ?? '';
    expect(await reset(token)).toMatchObject({
      status: 200,
      body: { success: true, message: 'Password successfully changed' },
    });
    await stream.ended;
    expect((await account.client.get('/api/me')).status).toBe(401);
    expect((await panel.anonymous().signIn(account.email, account.password)).status).toBe(401);
    expect((await panel.anonymous().signIn(account.email, NEW)).status).toBe(200);
    expect(await reset(token)).toMatchObject(refused);
  });

  test('is stored as a hash alone, and stands in no log', async () => {
    const token = await tokenOf();
    expect(token.length).toBeGreaterThan(40);
    expect(await dumpText(panel.services.db)).not.toContain(token);
    const entries = await panel.services.db
      .selectFrom('audit_log')
      .select('action')
      .where('subject_id', '=', account.id)
      .execute();
    expect(entries).toContainEqual({ action: 'account.reset_link' });
  });

  test('ten times at once sets one password', async () => {
    const token = await tokenOf();
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => reset(token, `a password number ${index}`)),
    );
    const done = replies.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    const number = replies.indexOf(done[0]!);
    const again = await panel.anonymous().signIn(account.email, `a password number ${number}`);
    expect(again.status).toBe(200);
  });

  test('invites where there is no password yet: for seven days, once, until a newer one', async () => {
    const email = `invited-${account.id}@panel.example`;
    const made = await top.client.post('/api/accounts', { email, group_id: '2' });
    expect(made.status).toBe(201);
    const { id } = made.body.account;
    expect((await panel.anonymous().signIn(email, '')).status).toBe(422);
    expect((await panel.anonymous().signIn(email, NEW)).status).toBe(401);
    const { body } = await link({ id }, top.client);
    const days = (Date.parse(body.expires_at) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    const first = new URL(body.url).searchParams.get('token') ?? '';
    const second = await tokenOf(top.client, { ...account, id });
    await deleteExpiredTokens(panel.services.db);
    expect(await reset(first)).toMatchObject(refused);
    // The link proves the identity of the account's owner, so it signs the owner in. A link that
    // resets a password does not.
    const invited = panel.anonymous();
    const used = { token: second, new_password: NEW };
    const welcome = await invited.post('/api/auth/reset-password', used);
    expect(welcome).toMatchObject({ status: 200, body: { user: { id, email } } });
    invited.cookie = welcome.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    expect((await invited.get('/api/me')).body.id).toBe(id);
    expect(await reset(second)).toMatchObject(refused);
    expect((await panel.anonymous().signIn(email, NEW)).status).toBe(200);
    // From now on the link resets a password, and is valid for an hour.
    const later = await link({ id }, top.client);
    expect(Date.parse(later.body.expires_at) - Date.now()).toBeLessThan(3_700_000);
    const other = panel.anonymous();
    const token = new URL(later.body.url).searchParams.get('token') ?? '';
    const changed = await other.post('/api/auth/reset-password', {
      token,
      new_password: `${NEW} 2`,
    });
    expect(changed).toMatchObject({ status: 200, body: { user: null } });
    expect(changed.headers.getSetCookie()).toEqual([]);
    expect((await invited.get('/api/me')).status).toBe(401);
  });

  test('that invites ends with a ban, with the account, and with its maker’s powers', async () => {
    // A ban also ends the session of the account that sent the invitation.
    const inviter = await panel.reseller();
    const inviteOne = async (name: string) => {
      const email = `${name}-${account.id}@panel.example`;
      const { body } = await inviter.client.post('/api/accounts', { email, group_id: '2' });
      const { id } = body.account;
      return { id, token: await tokenOf(inviter.client, { ...account, id }) };
    };
    const [banned, other] = [await inviteOne('banned'), await inviteOne('other')];
    await panel.admin.post(`/api/accounts/${banned.id}/ban`);
    await panel.admin.post(`/api/accounts/${banned.id}/unban`);
    expect(await reset(banned.token)).toMatchObject(refused);
    await panel.admin.post(`/api/accounts/${inviter.id}/ban`);
    expect(await reset(other.token)).toMatchObject(refused);
  });

  test('ends with a newer one', async () => {
    const [first, second] = [await tokenOf(), await tokenOf(top.client)];
    expect(await reset(first)).toMatchObject(refused);
    expect((await reset(second)).status).toBe(200);
  });

  test('ends with a ban, and does not come back when it is lifted', async () => {
    const token = await tokenOf();
    await panel.admin.post(`/api/accounts/${account.id}/ban`);
    expect(await reset(token)).toMatchObject(refused);
    expect(await link(account)).toMatchObject({ status: 409, body: { code: 'ACCOUNT_BANNED' } });
    await panel.admin.post(`/api/accounts/${account.id}/unban`);
    expect(await reset(token)).toMatchObject(refused);
  });

  test('ends with a change of the password', async () => {
    const token = await tokenOf();
    await account.client.post('/api/auth/change-password', {
      current_password: account.password,
      new_password: 'chosen by the account',
    });
    expect(await reset(token)).toMatchObject(refused);
  });

  test.each([
    ['has passed', sql<Date>`now() - interval '1 second'`],
    ['lies further ahead than any link lasts', sql<Date>`now() + interval '2 days'`],
  ])('is worth nothing where its end %s', async (_, expires_at) => {
    const token = await tokenOf();
    await panel.services.db
      .updateTable('one_time_tokens')
      .set({ expires_at })
      .where('account_id', '=', account.id)
      .execute();
    await healClock(panel.services);
    expect(await reset(token)).toMatchObject(refused);
  });

  test('keeps its worth where the new password is refused', async () => {
    const token = await tokenOf();
    expect(await reset(token, 'short')).toMatchObject({
      status: 422,
      body: { fields: { new_password: 'Password must be at least 8 characters' } },
    });
    expect(await reset(token, 'password123')).toMatchObject({
      status: 422,
      body: { fields: { new_password: 'This password is too common. Choose another one.' } },
    });
    expect((await reset(token)).status).toBe(200);
  });
});

describe('a link carries no more than the powers of who made it', () => {
  const change = (id: string, group_id: string) =>
    panel.services.db.updateTable('auth_users').set({ group_id }).where('id', '=', id).execute();

  test('for an administrator’s account there is none but by an administrator', async () => {
    const admin = await panel.reseller({ credits: 0, group_id: '1' });
    const manager = await managerWith('manage_resellers');
    expect((await link(admin, manager.client)).status).toBe(403);
    expect((await link(admin)).status).toBe(200);
  });

  test('for an account that may do more there is none', async () => {
    const manager = await managerWith('manage_resellers');
    const overseer = await managerWith('manage_users', 'view_users');
    expect((await link(overseer, manager.client)).status).toBe(403);
    const able = await managerWith('manage_resellers', 'manage_users', 'view_users');
    expect((await link(overseer, able.client)).status).toBe(200);
  });

  test('who got more since is not reached by a link made before', async () => {
    const token = await tokenOf(top.client);
    await change(account.id, '1');
    expect(await reset(token)).toMatchObject(refused);
    await change(account.id, '2');
    expect((await reset(token)).status).toBe(200);
  });

  test('who was banned or lost the permission since carries nothing', async () => {
    const middle = await panel.below(top);
    const under = await panel.below(middle);
    const first = await tokenOf(middle.client, under);
    await panel.admin.post(`/api/accounts/${middle.id}/ban`);
    expect(await reset(first)).toMatchObject(refused);
    await panel.admin.post(`/api/accounts/${middle.id}/unban`);
    await change(middle.id, '3');
    expect(await reset(first)).toMatchObject(refused);
  });

  test('who is not above any more carries nothing', async () => {
    const token = await tokenOf(top.client);
    await panel.admin.patch(`/api/accounts/${account.id}`, { owner_id: null });
    expect(await reset(token)).toMatchObject(refused);
  });

  test('for the own account and for those of others there is none', async () => {
    expect((await link(top, top.client)).status).toBe(422);
    expect((await link(account, (await panel.reseller()).client)).status).toBe(404);
  });
});

test('tokens cannot be tried: after ten unknown ones the address waits', async () => {
  const token = await tokenOf();
  for (let tries = 0; tries < 10; tries++) {
    expect(await reset(`unknown ${tries}`)).toMatchObject(refused);
  }
  expect(await reset(token)).toMatchObject({ status: 429 });
  await panel.services.db.deleteFrom('rate_limits').execute();
  expect((await reset(token)).status).toBe(200);
});
