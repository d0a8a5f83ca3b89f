import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';
import { openStream } from '../../testing/wire/streams.ts';
import { signedIn } from '../../testing/world/records.ts';

let panel: TestPanel;
let top: TestAccount;
let below: TestAccount;
let stranger: TestAccount;
beforeAll(async () => {
  panel = await startTestPanel();
  top = await panel.reseller();
  below = await panel.below(top, { credits: 5 });
  stranger = await panel.reseller();
});
afterAll(() => panel?.stop());

const ban = ({ id }: { id: string }, client = panel.admin) =>
  client.post(`/api/accounts/${id}/ban`);
const unban = ({ id }: { id: string }, client = panel.admin) =>
  client.post(`/api/accounts/${id}/unban`);

/** An account of a group that has only these permissions. */
async function withPermissions(...permissions: string[]): Promise<TestAccount> {
  const id = permissions.join('-');
  const { db } = panel.services;
  await db
    .insertInto('groups')
    .values({ id, name: id, permissions })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return panel.reseller({ credits: 0, group_id: id });
}

async function administrator(): Promise<TestAccount> {
  return panel.reseller({ credits: 0, group_id: '1' });
}

describe('a ban', () => {
  test('ends sessions and streams, and sign-in answers as to a wrong password', async () => {
    const account = await panel.below(top);
    const other = await signedIn(panel, account.email, account.password);
    const stream = await openStream(account.client);
    const reply = await ban(account, top.client);
    expect(reply).toMatchObject({
      status: 200,
      body: { account: { id: account.id, banned: true, status: 'suspended' } },
    });
    await stream.ended;
    for (const client of [account.client, other]) {
      expect((await client.get('/api/me')).status).toBe(401);
      expect((await client.get('/api/events')).status).toBe(401);
    }
    const sessions = await panel.services.db
      .selectFrom('auth_sessions')
      .select('id')
      .where('user_id', '=', account.id)
      .execute();
    expect(sessions).toEqual([]);
    const wrong = await panel.anonymous().signIn(account.email, 'a wrong password');
    const right = await panel.anonymous().signIn(account.email, account.password);
    expect([right.status, right.body]).toEqual([wrong.status, wrong.body]);
    expect(right.status).toBe(401);
  });

  test('that is lifted lets the account sign in again, but revives no session', async () => {
    const account = await panel.below(top);
    await ban(account, top.client);
    expect(await unban(account, top.client)).toMatchObject({
      status: 200,
      body: { account: { banned: false, status: 'active' } },
    });
    expect((await account.client.get('/api/me')).status).toBe(401);
    expect((await account.client.signIn(account.email, account.password)).status).toBe(200);
  });

  test('takes nothing from those below, nor from the balance', async () => {
    const middle = await panel.below(top, { credits: 3 });
    const bottom = await panel.below(middle);
    await ban(middle);
    expect((await bottom.client.get('/api/me')).status).toBe(200);
    expect((await panel.admin.get(`/api/accounts/${middle.id}`)).body.credits).toBe(3);
  });

  test('is written to the audit log with what it changed; once more is no error and nothing new', async () => {
    const account = await panel.below(top);
    for (const client of [panel.admin, panel.admin, top.client]) {
      const reply = await ban(account, client);
      expect([reply.status, reply.body.account?.banned]).toEqual([200, true]);
    }
    const entries = await panel.services.db
      .selectFrom('audit_log')
      .select(['action', 'before', 'after'])
      .where('subject_id', '=', account.id)
      .where('action', '=', 'account.ban')
      .orderBy('created_at')
      .execute();
    expect(entries).toEqual([
      { action: 'account.ban', before: { banned: false }, after: { banned: true } },
    ]);
    for (let time = 1; time <= 2; time++) expect((await unban(account)).status).toBe(200);
    const lifted = await panel.services.db
      .selectFrom('audit_log')
      .select('id')
      .where('subject_id', '=', account.id)
      .where('action', '=', 'account.unban')
      .execute();
    expect(lifted).toHaveLength(1);
  });

  test('from above is one more, since who banned first can then not lift it', async () => {
    const account = await panel.below(below);
    await ban(account, below.client);
    await ban(account, top.client);
    expect((await unban(account, below.client)).body.code).toBe('BANNED_FROM_ABOVE');
    expect((await unban(account, top.client)).status).toBe(200);
  });

  test('is heard live by those above', async () => {
    const account = await panel.below(below);
    const stream = await openStream(top.client);
    await ban(account);
    await eventually(() =>
      expect(stream.events).toContainEqual({ table: 'auth_users', op: 'UPDATE', id: account.id }),
    );
    stream.close();
  });
});

describe('nobody bans', () => {
  test('an account that is not below them: it is not found', async () => {
    const missing = await ban({ id: crypto.randomUUID() }, top.client);
    expect(missing).toMatchObject({ status: 404, body: { message: 'User not found' } });
    for (const client of [below.client, stranger.client]) {
      for (const reply of [await ban(top, client), await unban(top, client)]) {
        expect([reply.status, reply.body]).toEqual([404, missing.body]);
      }
    }
    expect((await top.client.get('/api/me')).status).toBe(200);
  });

  test('an account by what is no id', async () => {
    expect(await ban({ id: 'me' })).toMatchObject({
      status: 422,
      body: { message: 'Invalid user ID' },
    });
  });

  test('themselves', async () => {
    const me = (await panel.admin.get('/api/me')).body;
    for (const reply of [await ban(me), await ban(top, top.client), await unban(top, top.client)]) {
      expect(reply).toMatchObject({ status: 422, body: { message: 'Invalid user ID' } });
    }
  });

  test('without the permission to', async () => {
    const user = await panel.reseller({ credits: 0, group_id: '3' });
    expect((await ban(below, user.client)).status).toBe(403);
    expect((await panel.anonymous().post(`/api/accounts/${below.id}/ban`)).status).toBe(401);
  });

  test('an account that may do more', async () => {
    const manager = await withPermissions('manage_resellers');
    const overseer = await withPermissions('manage_users', 'view_users');
    for (const account of [overseer, stranger]) {
      expect(await ban(account, manager.client)).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN' },
      });
      const { may } = (await manager.client.get(`/api/accounts/${account.id}`)).body;
      expect(may).not.toContain('ban');
      expect((await account.client.get('/api/me')).status).toBe(200);
    }
    // The ban is refused even if such an account is below the actor.
    const { db } = panel.services;
    const under = { owner_id: top.id };
    await db.updateTable('auth_users').set(under).where('id', '=', overseer.id).execute();
    expect((await ban(overseer, top.client)).status).toBe(403);
    const able = await withPermissions('manage_resellers', 'manage_users', 'view_users');
    expect((await ban(overseer, able.client)).status).toBe(200);
    expect((await unban(overseer, able.client)).status).toBe(200);
  });

  test('an administrator, unless they are one', async () => {
    const admin = await administrator();
    const manager = await withPermissions('manage_resellers', 'view_users', 'add_credits');
    expect((await ban(stranger, manager.client)).status).toBe(200);
    expect((await unban(stranger, manager.client)).status).toBe(200);
    expect((await ban(admin, manager.client)).status).toBe(403);
    expect((await ban(admin)).status).toBe(200);
    expect((await unban(admin, manager.client)).status).toBe(403);
    // These calls are refused even if the administrator is below the actor.
    const { db } = panel.services;
    await db
      .updateTable('auth_users')
      .set({ owner_id: top.id })
      .where('id', '=', admin.id)
      .execute();
    for (const path of ['unban', 'reset-link', 'credits', 'credits/take-back']) {
      const body = path.startsWith('credits') ? { amount: 1 } : undefined;
      const reply = await top.client.post(`/api/accounts/${admin.id}/${path}`, body);
      expect(reply.status, path).toBe(403);
    }
    await db.updateTable('auth_users').set({ owner_id: null }).where('id', '=', admin.id).execute();
  });
});

test('of two administrators who ban each other at once one stays, round after round', async () => {
  for (let round = 0; round < 5; round++) {
    const other = await administrator();
    const me = (await panel.admin.get('/api/me')).body;
    const replies = await Promise.all([ban(other), ban(me, other.client)]);
    const left = await panel.services.db
      .selectFrom('auth_users')
      .select('id')
      .where('is_admin', '=', true)
      .where('banned', '=', false)
      .execute();
    expect(left, JSON.stringify(replies.map(({ body }) => body))).toHaveLength(1);
    expect(replies.map(({ status }) => status)).toContain(200);
    await panel.services.db
      .updateTable('auth_users')
      .set({ banned: true })
      .where('id', '=', other.id)
      .execute();
    await panel.services.db
      .updateTable('auth_users')
      .set({ banned: false })
      .where('id', '=', me.id)
      .execute();
    await panel.admin.signIn('admin@panel.example', 'first-admin-password');
  }
});

test('a ban from above is lifted from there alone, also where it was given again below', async () => {
  const account = await panel.below(top);
  expect((await ban(account)).status).toBe(200);
  const refused = { status: 403, body: { code: 'BANNED_FROM_ABOVE' } };
  expect(await unban(account, top.client)).toMatchObject(refused);
  expect((await ban(account, top.client)).status).toBe(200);
  expect(await unban(account, top.client)).toMatchObject(refused);
  expect((await unban(account)).status).toBe(200);
  expect((await ban(account, top.client)).status).toBe(200);
  expect((await unban(account, top.client)).status).toBe(200);
});
