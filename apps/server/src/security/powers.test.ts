// @module-tag thorough
import { type Permission, permissions } from '@linekeeper/contract/permissions.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestReply } from '../testing/client.ts';
import { dumpWithoutJobs } from '../testing/database/dump.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../testing/panel.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await startTestPanel();
});
afterAll(() => panel?.stop());

async function makeGroup(granted: readonly Permission[]): Promise<string> {
  const { body } = await panel.admin.post('/api/groups', {
    name: crypto.randomUUID(),
    permissions: granted,
  });
  return body.group.id;
}

/** An account that tries to gain a permission, and the accounts and groups around it. */
interface Scene {
  schemer: TestAccount;
  /** Ids of groups: the schemer's group, one that grants the permission, and one that grants nothing. */
  own: string;
  granting: string;
  empty: string;
  /** Ids of accounts: one below the schemer, an accomplice with the same permissions, one beside them, and Admin. */
  below: string;
  accomplice: string;
  beside: string;
  admin: string;
}

async function makeScene(held: readonly Permission[], permission: Permission): Promise<Scene> {
  const own = await makeGroup(held);
  const [granting, empty] = [await makeGroup([permission]), await makeGroup([])];
  const schemer = await panel.reseller({ credits: 0, group_id: own });
  await panel.admin.post(`/api/accounts/${schemer.id}/credits`, { amount: 50 });
  const put = async (group_id: string, owner_id: string | null): Promise<string> => {
    const { id } = await panel.reseller({ credits: 0, group_id });
    const { db } = panel.services;
    await db.updateTable('auth_users').set({ owner_id }).where('id', '=', id).execute();
    return id;
  };
  return {
    ...{ schemer, own, granting, empty },
    below: await put(empty, schemer.id),
    accomplice: await put(await makeGroup(held), null),
    beside: await put(empty, null),
    admin: await put('1', schemer.id),
  };
}

type Way = (scene: Scene, permission: Permission) => Promise<TestReply>;

const newAccount = (more: object) => ({
  email: `${crypto.randomUUID()}@panel.example`,
  password: 'a long password',
  ...more,
});
const move = ({ schemer }: Scene, id: string, group_id: string) =>
  schemer.client.patch(`/api/accounts/${id}`, { group_id });
const regroup = ({ schemer }: Scene, id: string, granted: readonly Permission[]) =>
  schemer.client.patch(`/api/groups/${id}`, { permissions: granted });

/** Ways to give the permission to an account. They are open to accounts that have it. */
const grants: Record<string, Way> = {
  'makes a group that grants it': ({ schemer }, permission) =>
    schemer.client.post('/api/groups', { name: crypto.randomUUID(), permissions: [permission] }),
  'edits a group with members below': (scene, permission) =>
    regroup(scene, scene.empty, [permission]),
  'edits the group of new users': (scene, permission) => regroup(scene, '3', [permission]),
  'moves an account below': (scene) => move(scene, scene.below, scene.granting),
  'moves an account beside': (scene) => move(scene, scene.beside, scene.granting),
  'moves the accomplice': (scene) => move(scene, scene.accomplice, scene.granting),
  'makes an account in a group that grants it': ({ schemer, granting }) =>
    schemer.client.post('/api/accounts', newAccount({ group_id: granting })),
};

/** Ways that are open to administrators only. */
const closed: Record<string, Way> = {
  'edits its own group': (scene) => regroup(scene, scene.own, permissions),
  'renames its own group': ({ schemer, own }) =>
    schemer.client.patch(`/api/groups/${own}`, { name: 'Mine' }),
  'edits the group Admin': ({ schemer }) => schemer.client.patch('/api/groups/1', { name: 'Us' }),
  'reduces the group Admin': (scene) => regroup(scene, '1', []),
  'deletes the group Admin': ({ schemer }) => schemer.client.delete('/api/groups/1'),
  'moves itself': (scene) => move(scene, scene.schemer.id, scene.granting),
  'moves itself to Admin': (scene) => move(scene, scene.schemer.id, '1'),
  'moves an account below to Admin': (scene) => move(scene, scene.below, '1'),
  'moves an account beside to Admin': (scene) => move(scene, scene.beside, '1'),
  'makes an administrator': ({ schemer }) =>
    schemer.client.post('/api/accounts', newAccount({ group_id: '1' })),
  'makes an account with permissions of its own': ({ schemer }, permission) =>
    schemer.client.post('/api/accounts', newAccount({ permissions: [permission] })),
  'takes a group by its profile': ({ schemer, granting }) =>
    schemer.client.patch('/api/me', { group_id: granting }),
  'demotes an administrator below': (scene) => move(scene, scene.admin, '3'),
  'renames an administrator below': ({ schemer, admin }) =>
    schemer.client.patch(`/api/accounts/${admin}`, { full_name: 'Mine' }),
  'turns off the second step of an account below': ({ schemer, below }) =>
    schemer.client.post(`/api/accounts/${below}/two-factor/disable`),
  'turns off the second step of an administrator': ({ schemer, admin }) =>
    schemer.client.post(`/api/accounts/${admin}/two-factor/disable`),
  'gives an administrator credits': ({ schemer, admin }) =>
    schemer.client.post(`/api/accounts/${admin}/credits`, { amount: 1 }),
  'takes credits from an administrator': ({ schemer, admin }) =>
    schemer.client.post(`/api/accounts/${admin}/credits/take-back`, { amount: 1 }),
};

/** Ways to remove the permission from other accounts. */
const takings: Record<string, Way> = {
  'takes it from a group with members': (scene) => regroup(scene, scene.granting, []),
};

/** Ways to gain the permission with group 2, if that group grants it. */
const byGroup2: Record<string, Way> = {
  'moves an account below to group 2': (scene) => move(scene, scene.below, '2'),
  'makes an account in group 2': ({ schemer }) =>
    schemer.client.post('/api/accounts', newAccount({ group_id: '2' })),
};

async function expectRefused(work: () => Promise<TestReply>): Promise<void> {
  const { db } = panel.services;
  const before = await dumpWithoutJobs(db);
  const { status, body } = await work();
  expect([403, 404, 422], JSON.stringify(body)).toContain(status);
  expect(await dumpWithoutJobs(db)).toEqual(before);
}

describe.each(permissions)('whoever has every permission but %s', (permission) => {
  const held = permissions.filter((one) => one !== permission);
  const isOfGroup2 = permission === 'view_users' || permission === 'add_credits';
  let scene: Scene;
  beforeAll(async () => {
    scene = await makeScene(held, permission);
  });

  const ways = { ...grants, ...takings, ...closed, ...(isOfGroup2 ? byGroup2 : {}) };
  test.each(Object.keys(ways))('%s: refused, and nothing changes', async (name) => {
    await expectRefused(() => (ways[name] as Way)(scene, permission));
  });

  test('raises nobody by credits above itself', async () => {
    const { schemer } = scene;
    const { body } = await schemer.client.post('/api/accounts', newAccount({ credits: 2 }));
    const opened = body.account.group_id;
    const user = (await schemer.client.post('/api/accounts', newAccount({}))).body.account;
    const given = await schemer.client.post(`/api/accounts/${user.id}/credits`, { amount: 1 });
    const group_id = isOfGroup2 ? '3' : '2';
    expect([opened, given.body.account.group_id]).toEqual([group_id, group_id]);
  });

  test('still has every permission but that', async () => {
    const { body } = await scene.schemer.client.get('/api/me');
    expect(body.permissions).toEqual(held);
  });
});

describe('whoever has every permission', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await makeScene(permissions, 'view_users');
  });

  test.each(Object.keys(grants))('%s', async (name) => {
    const { status, body } = await (grants[name] as Way)(scene, 'view_users');
    expect([200, 201], JSON.stringify(body)).toContain(status);
    await panel.admin.patch('/api/groups/3', { permissions: [] });
  });

  test.each(Object.keys(closed))('%s: refused, and nothing changes', async (name) => {
    await expectRefused(() => (closed[name] as Way)(scene, 'view_users'));
  });
});

describe.each(permissions)('whoever has nothing but %s', (permission) => {
  test('grants nothing else by any of the ways', async () => {
    const other = permissions.find((one) => one !== permission) as Permission;
    const scene = await makeScene([permission], other);
    for (const way of Object.values({ ...grants, ...takings, ...closed })) {
      const { status, body } = await way(scene, other);
      expect([403, 404, 422], JSON.stringify(body)).toContain(status);
    }
    const { body } = await panel.admin.get(`/api/accounts?group_id=${scene.granting}`);
    expect(body.items).toEqual([]);
  });
});

test('credits that come back raise nobody: a user of group 3 that may take them back', async () => {
  await panel.admin.patch('/api/groups/3', { permissions: ['add_credits'] });
  const taker = await panel.reseller({ credits: 0, group_id: '3' });
  const giver = await panel.below(taker, { group_id: '3' });
  await panel.admin.post(`/api/accounts/${taker.id}/credits`, { amount: 3 });
  await panel.admin.patch(`/api/accounts/${taker.id}`, { group_id: '3' });
  const given = await taker.client.post(`/api/accounts/${giver.id}/credits`, { amount: 3 });
  expect(given.status).toBe(200);
  const path = `/api/accounts/${giver.id}/credits/take-back`;
  expect((await taker.client.post(path, { amount: 3 })).status).toBe(200);
  expect((await taker.client.get('/api/me')).body).toMatchObject({ credits: 3, group_id: '3' });
  await panel.admin.patch('/api/groups/3', { permissions: [] });
});
