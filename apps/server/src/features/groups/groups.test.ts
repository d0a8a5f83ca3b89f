import { fixedGroups, type Permission, permissions } from '@linekeeper/contract/permissions.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
/** A member of a group that may see and change groups, and has no other permission but view_users. */
let keeper: TestAccount;
let keepers: string;
beforeAll(async () => {
  panel = await startTestPanel();
  keepers = await makeGroup(['view_groups', 'manage_groups', 'view_users']);
  keeper = await panel.reseller({ credits: 0, group_id: keepers });
});
afterAll(() => panel?.stop());

let made = 0;
const newName = () => `Group ${++made}`;

async function makeGroup(granted: Permission[] = [], client = panel.admin): Promise<string> {
  const { status, body } = await client.post('/api/groups', {
    name: newName(),
    permissions: granted,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.group.id;
}

async function findGroup(id: string) {
  const { body } = await panel.admin.get('/api/groups?limit=100');
  return body.items.find((group: { id: string }) => group.id === id);
}

const namesOf = async (query: string) => {
  const { status, body } = await panel.admin.get(`/api/groups?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.items.map(({ name }: { name: string }) => name);
};

describe('the list', () => {
  test('begins with the three fixed groups and counts the members of each', {
    tags: ['spec:3.6'],
  }, async () => {
    const { body } = await keeper.client.get('/api/groups?limit=3');
    expect(body.items).toMatchObject(fixedGroups);
    expect(body.items[0].member_count).toBe(1);
    expect(Object.keys(body.items[0]).sort()).toEqual([
      'created_at',
      'description',
      'id',
      'made_by',
      'member_count',
      'name',
      'permissions',
    ]);
    const before = (await findGroup('3')).member_count;
    await panel.reseller({ credits: 0, group_id: '3' });
    expect((await findGroup('3')).member_count).toBe(before + 1);
  });

  test('is searched, filtered by permissions and needs view_groups', async () => {
    expect(await namesOf('q=RESELL')).toEqual(['Resellers']);
    expect(await namesOf('q=%25')).toEqual([]);
    expect(await namesOf('permission=manage_resellers')).toEqual(['Admin']);
    expect(await namesOf('permission=add_credits,manage_resellers')).toEqual([
      'Admin',
      'Resellers',
    ]);
    expect((await panel.admin.get('/api/groups?permission=fly')).status).toBe(422);
    const seller = await panel.reseller();
    expect((await seller.client.get('/api/groups')).status).toBe(403);
    expect((await panel.anonymous().get('/api/groups')).status).toBe(401);
  });

  test.each(['created_at', '-created_at', 'name', '-name', 'member_count', '-member_count'])(
    'sorted by %s it holds every group once, page by page',
    async (sort) => {
      const whole = await namesOf(`sort=${sort}&limit=100`);
      const walked: string[] = [];
      let cursor = '';
      do {
        const { body } = await panel.admin.get(
          `/api/groups?limit=1&sort=${sort}${cursor && `&cursor=${cursor}`}`,
        );
        walked.push(...body.items.map(({ name }: { name: string }) => name));
        cursor = body.next_cursor ?? '';
      } while (cursor);
      expect(walked).toEqual(whole);
      expect(new Set(walked).size).toBe(whole.length);
    },
  );

  test('a forged cursor is refused', async () => {
    const forged = [['name', 'x', 7], ['created_at', 'x', '1'], ['name', 'x'], 'no'];
    // An array of this length would not fit into memory.
    const disguised = [['name', 'x', { toString: 1 }], [{ toString: 1 }]];
    for (const parts of [...forged, ...disguised, { length: 4_294_967_295 }]) {
      const cursor = Buffer.from(JSON.stringify(parts)).toString('base64url');
      const reply = await panel.admin.get(`/api/groups?sort=name&cursor=${cursor}`);
      expect([reply.status, reply.body.code]).toEqual([422, 'INVALID_CURSOR']);
    }
  });
});

describe('a group is made', () => {
  test('with the next number for an id, which is never used again', async () => {
    const first = await makeGroup();
    const second = await makeGroup();
    expect(Number(second)).toBe(Number(first) + 1);
    await panel.admin.delete(`/api/groups/${second}`);
    expect(Number(await makeGroup())).toBe(Number(second) + 1);
  });

  test('once for one key, and with each permission once', async () => {
    const body = {
      name: newName(),
      description: 'Looks lines up',
      permissions: ['view_users', 'manage_users', 'view_users'],
    };
    const key = { 'idempotency-key': crypto.randomUUID() };
    const [one, other] = [
      await panel.admin.post('/api/groups', body, key),
      await panel.admin.post('/api/groups', body, key),
    ];
    expect(one.body.group).toEqual({
      id: expect.any(String),
      name: body.name,
      description: 'Looks lines up',
      permissions: ['manage_users', 'view_users'],
      member_count: 0,
      made_by: 'Administrator',
      created_at: expect.any(String),
    });
    expect(other.body).toEqual(one.body);
  });

  test('and tells its maker to those who see that account', async () => {
    const made = (await panel.admin.post('/api/groups', { name: newName() })).body.group.id;
    const watching = await makeGroup(['view_groups']);
    const watcher = await panel.reseller({ credits: 0, group_id: watching });
    const byId = async (client: typeof panel.admin) => {
      const { items } = (await client.get('/api/groups?limit=100')).body;
      return (id: string) => items.find((group: { id: string }) => group.id === id).made_by;
    };
    const [seen, hidden] = [await byId(panel.admin), await byId(watcher.client)];
    expect([seen(made), seen('2')]).toEqual(['Administrator', null]);
    expect([hidden(made), hidden('2')]).toEqual([null, null]);
  });

  test('of one name once, whatever its case, and by ten at once', async () => {
    const name = newName();
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => panel.admin.post('/api/groups', { name })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const taken of [name, ` ${name.toUpperCase()} `, 'ADMIN']) {
      expect(await panel.admin.post('/api/groups', { name: taken })).toMatchObject({
        status: 409,
        body: { code: 'GROUP_NAME_EXISTS' },
      });
    }
  });

  test.each([
    [{}, 'name'],
    [{ name: '  ' }, 'name'],
    [{ name: 'a\u200bb' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'Right', permissions: ['fly'] }, 'permissions'],
    [{ name: 'Right', permissions: 'view_users' }, 'permissions'],
    [{ name: 'Right', id: '77' }, 'id'],
  ])('not from %j', async (body, field) => {
    const reply = await panel.admin.post('/api/groups', body);
    expect([reply.status, Object.keys(reply.body.fields)]).toEqual([422, [field]]);
  });

  test('without a key it is not made', async () => {
    const reply = await panel.admin.send('POST', '/api/groups', { name: newName() });
    expect(reply.status).toBe(428);
  });
});

describe('a group is changed', () => {
  test('in what is named, and the audit log tells how it was and became', async () => {
    const id = await makeGroup(['view_users']);
    const { name } = await findGroup(id);
    const reply = await panel.admin.patch(`/api/groups/${id}`, { permissions: ['add_credits'] });
    expect(reply).toMatchObject({ status: 200, body: { group: { id, name } } });
    const { body } = await panel.admin.patch(`/api/groups/${id}`, { description: 'New' });
    expect(body.group).toMatchObject({ permissions: ['add_credits'], description: 'New' });
    const entries = await panel.services.db
      .selectFrom('audit_log')
      .select(['action', 'before', 'after'])
      .where('subject_type', '=', 'group')
      .where('subject_id', '=', id)
      .orderBy('id')
      .execute();
    expect(entries).toMatchObject([
      { action: 'group.create', after: { permissions: ['view_users'] } },
      { before: { permissions: ['view_users'] }, after: { permissions: ['add_credits'] } },
      { before: { description: '' }, after: { description: 'New' } },
    ]);
  });

  test('keeps its name or takes a free one', async () => {
    const [id, other] = [await makeGroup(), await makeGroup()];
    const { name } = await findGroup(id);
    expect((await panel.admin.patch(`/api/groups/${id}`, { name })).status).toBe(200);
    expect(await panel.admin.patch(`/api/groups/${other}`, { name })).toMatchObject({
      status: 409,
      body: { code: 'GROUP_NAME_EXISTS' },
    });
  });

  test('Admin too, but its permissions stay', async () => {
    const renamed = await panel.admin.patch('/api/groups/1', { description: 'Runs the panel' });
    expect(renamed.body.group.description).toBe('Runs the panel');
    for (const left of [[], permissions.slice(1)]) {
      expect(await panel.admin.patch('/api/groups/1', { permissions: left })).toMatchObject({
        status: 422,
        body: { fields: { permissions: 'Administrators keep all permissions' } },
      });
    }
    expect((await panel.admin.patch('/api/groups/1', { permissions })).status).toBe(200);
  });

  test('by others only where it is neither theirs nor Admin', async () => {
    const id = await makeGroup(['manage_users']);
    const edited = await keeper.client.patch(`/api/groups/${id}`, { name: newName() });
    expect(edited.status).toBe(200);
    expect((await keeper.client.patch('/api/groups/1', { name: 'Mine' })).body.code).toBe(
      'FORBIDDEN',
    );
    expect((await keeper.client.patch(`/api/groups/${keepers}`, { name: 'Mine' })).body.code).toBe(
      'OWN_GROUP',
    );
  });

  test('by others in permissions that they have themselves, given or taken away', async () => {
    const id = await makeGroup(['manage_users', 'view_users']);
    const edit = (granted: Permission[]) =>
      keeper.client.patch(`/api/groups/${id}`, { permissions: granted });
    for (const foreign of [['view_users'], [], ['add_credits', 'manage_users', 'view_users']]) {
      const { status, body } = await edit(foreign as Permission[]);
      expect([status, body.fields]).toEqual([
        422,
        { permissions: 'You can only grant or remove permissions that you have yourself' },
      ]);
    }
    expect((await edit(['manage_users', 'view_groups'])).status).toBe(200);
    expect((await findGroup(id)).permissions).toEqual(['manage_users', 'view_groups']);
    expect((await panel.admin.patch(`/api/groups/${id}`, { permissions: [] })).status).toBe(200);
  });

  test('that does not exist is not found', { tags: ['spec:5.22'] }, async () => {
    expect(await panel.admin.patch('/api/groups/999', { name: newName() })).toMatchObject({
      status: 404,
      body: { message: 'Group not found' },
    });
  });
});

describe('a group is deleted', () => {
  test('while nobody is in it', { tags: ['spec:5.21'] }, async () => {
    const id = await makeGroup(['view_users']);
    const member = await panel.reseller({ credits: 0, group_id: id });
    expect(await panel.admin.delete(`/api/groups/${id}`)).toMatchObject({
      status: 409,
      body: { message: 'Cannot delete group with active users', data: { count: 1 } },
    });
    await panel.admin.patch(`/api/accounts/${member.id}`, { group_id: '3' });
    expect((await panel.admin.delete(`/api/groups/${id}`)).body).toEqual({ success: true });
    expect(await findGroup(id)).toBeUndefined();
    expect(await panel.admin.delete(`/api/groups/${id}`)).toMatchObject({
      status: 404,
      body: { message: 'Group not found' },
    });
  });

  test.each(['1', '2', '3'])('but not the fixed group %s', async (id) => {
    const { status, body } = await panel.admin.delete(`/api/groups/${id}`);
    expect([status, body.code]).toEqual([409, 'GROUP_IS_FIXED']);
  });

  test('or gets a member, where both are asked for at once', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await makeGroup();
      const email = `at-once-${round}@panel.example`;
      const [joined, removed] = await Promise.all([
        panel.admin.post('/api/accounts', { email, password: 'long enough', group_id: id }),
        panel.admin.delete(`/api/groups/${id}`),
      ]);
      expect([
        [201, 409],
        [404, 200],
      ]).toContainEqual([joined.status, removed.status]);
    }
  });
});
