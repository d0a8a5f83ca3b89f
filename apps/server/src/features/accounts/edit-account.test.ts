import type { Permission } from '@linekeeper/contract/permissions.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
let top: TestAccount;
let below: TestAccount;
let stranger: TestAccount;
beforeAll(async () => {
  panel = await startTestPanel();
  top = await panel.reseller();
  below = await panel.below(top, { group_id: '3' });
  stranger = await panel.reseller();
});
afterAll(() => panel?.stop());

const edit = (id: string, body: object, client = panel.admin) =>
  client.patch(`/api/accounts/${id}`, body);

async function memberOf(...permissions: Permission[]): Promise<TestAccount> {
  const name = crypto.randomUUID();
  const { body } = await panel.admin.post('/api/groups', { name, permissions });
  return panel.reseller({ credits: 0, group_id: body.group.id });
}

describe('an administrator', () => {
  test('changes what is named; the audit log tells how it was', {
    tags: ['spec:7.8'],
  }, async () => {
    const { id } = await panel.reseller({ credits: 0, group_id: '3' });
    const reply = await edit(id, { full_name: 'Ann Example', notes: 'by phone' });
    expect(reply).toMatchObject({
      status: 200,
      body: { account: { id, full_name: 'Ann Example', notes: 'by phone', group_id: '3' } },
    });
    expect((await edit(id, { notes: null })).body.account).toMatchObject({
      full_name: 'Ann Example',
      notes: null,
    });
    expect((await edit(id, { group_id: '2' })).body.account.group_id).toBe('2');
    const entries = await panel.services.db
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('subject_id', '=', id)
      .where('action', '=', 'account.edit')
      .orderBy('id')
      .execute();
    expect(entries.at(-1)).toEqual({ before: { group_id: '3' }, after: { group_id: '2' } });
  });

  test('is refused unknown accounts, groups and fields of the server', {
    tags: ['spec:5.23'],
  }, async () => {
    expect((await edit(crypto.randomUUID(), { notes: 'x' })).body.message).toBe('User not found');
    expect((await edit('7', { notes: 'x' })).body.message).toBe('Invalid user ID');
    expect(await edit(top.id, { group_id: '99' })).toMatchObject({
      status: 404,
      body: { message: 'Group not found' },
    });
    for (const field of ['email', 'credits', 'is_admin', 'banned', 'owner_id']) {
      const { status, body } = await edit(top.id, { [field]: 'x' });
      expect([status, Object.keys(body.fields)]).toEqual([422, [field]]);
    }
  });

  test('keeps the own group, and the last one stays an administrator', async () => {
    const { body: me } = await panel.admin.get('/api/me');
    expect((await edit(me.id, { group_id: '3' })).body.code).toBe('LAST_ADMIN');
    const second = await panel.reseller({ credits: 0, group_id: '1' });
    expect((await edit(me.id, { group_id: '3' })).body.code).toBe('OWN_GROUP');
    expect((await edit(me.id, { group_id: '1', full_name: 'Root' })).status).toBe(200);
    expect((await edit(second.id, { group_id: '2' })).body.account.is_admin).toBe(false);
    expect((await second.client.get('/api/settings')).status).toBe(403);
  });

  test('stays where two demote each other at once', async () => {
    const { body: me } = await panel.admin.get('/api/me');
    for (let round = 0; round < 3; round++) {
      const second = await panel.reseller({ credits: 0, group_id: '1' });
      const replies = await Promise.all([
        edit(second.id, { group_id: '3' }),
        edit(me.id, { group_id: '3' }, second.client),
      ]);
      expect(replies.map(({ status }) => status).sort()[0]).toBe(200);
      const { db } = panel.services;
      const admins = db.selectFrom('auth_users').select('id').where('group_id', '=', '1');
      expect(await admins.execute()).toHaveLength(1);
      const put = (id: string, group_id: string) =>
        db.updateTable('auth_users').set({ group_id }).where('id', '=', id).execute();
      await put(me.id, '1');
      await put(second.id, '3');
    }
  });
});

describe('a reseller', () => {
  test('changes accounts below, and nobody else', async () => {
    const reply = await edit(below.id, { full_name: 'Below', notes: 'mine' }, top.client);
    expect(reply.body.account).toMatchObject({ full_name: 'Below', notes: 'mine' });
    expect((await edit(below.id, { group_id: '2' }, top.client)).status).toBe(200);
    const missing = await edit(crypto.randomUUID(), { notes: 'x' }, top.client);
    const foreign = await edit(stranger.id, { notes: 'x' }, top.client);
    expect([foreign.status, foreign.body]).toEqual([404, missing.body]);
    expect((await edit(top.id, { notes: 'x' }, below.client)).status).toBe(404);
  });

  test('changes itself by its own profile only', async () => {
    expect(await edit(top.id, { notes: 'trusted' }, top.client)).toMatchObject({
      status: 422,
      body: { fields: { id: 'Invalid user ID' } },
    });
  });

  test('puts nobody into other groups than 2 and 3', async () => {
    const { body } = await panel.admin.post('/api/groups', { name: 'Empty' });
    for (const group_id of ['1', body.group.id, '99']) {
      expect(await edit(below.id, { group_id }, top.client)).toMatchObject({
        status: 422,
        body: { fields: { group_id: 'Only an administrator can set this field' } },
      });
    }
  });

  test('neither changes an administrator below nor moves its credits', async () => {
    const { id } = await panel.below(top, { credits: 5 });
    await edit(id, { group_id: '1' });
    for (const reply of [
      await edit(id, { notes: 'x' }, top.client),
      await top.client.post(`/api/accounts/${id}/credits`, { amount: 1 }),
      await top.client.post(`/api/accounts/${id}/credits/take-back`, { amount: 1 }),
    ]) {
      expect([reply.status, reply.body.code]).toEqual([403, 'FORBIDDEN']);
    }
  });
});

test('view_resellers reads all accounts and changes none; manage_resellers changes all', async () => {
  const viewer = await memberOf('view_resellers');
  const all = (await panel.admin.get('/api/accounts')).body.total;
  expect((await viewer.client.get('/api/accounts')).body.total).toBe(all);
  expect((await viewer.client.get(`/api/accounts/${stranger.id}`)).body.id).toBe(stranger.id);
  expect((await edit(stranger.id, { notes: 'x' }, viewer.client)).status).toBe(403);
  const seller = await memberOf('view_resellers', 'add_credits');
  expect((await edit(stranger.id, { notes: 'x' }, seller.client)).status).toBe(404);
  const manager = await memberOf('manage_resellers');
  expect((await manager.client.get('/api/accounts')).body.total).toBe(all + 2);
  const reply = await edit(stranger.id, { notes: 'seen' }, manager.client);
  expect(reply.body.account.notes).toBe('seen');
});

test('nobody takes away by a lesser group what they lack themselves', async () => {
  const manager = await memberOf('manage_resellers');
  const seller = await panel.below(top, { group_id: '2' });
  expect(await edit(seller.id, { group_id: '3' }, manager.client)).toMatchObject({
    status: 422,
    body: {
      fields: { group_id: expect.any(String) },
      data: { field_codes: { group_id: 'PERMISSION_NOT_OWN' } },
    },
  });
  expect((await panel.admin.get(`/api/accounts/${seller.id}`)).body.group_id).toBe('2');
});

test('the first credits raise to group 2 only where the giver may do all that it may', async () => {
  const giver = await memberOf('add_credits');
  await panel.admin.post(`/api/accounts/${giver.id}/credits`, { amount: 9 });
  const email = `raised-${giver.id}@panel.example`;
  const opened = await giver.client.post('/api/accounts', {
    email,
    password: 'long enough',
    credits: 2,
  });
  expect(opened.body.account).toMatchObject({ credits: 2, group_id: '3' });
  const user = await panel.below(top, { group_id: '3' });
  const raised = await top.client.post(`/api/accounts/${user.id}/credits`, { amount: 1 });
  expect(raised.body.account).toMatchObject({ credits: 1, group_id: '2' });
});
