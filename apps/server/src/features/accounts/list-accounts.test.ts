import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import { accountsList } from '@linekeeper/contract/lists/lists.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestClient } from '../../testing/client.ts';
import { storeLines } from '../../testing/lines.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';
import { sendRaw } from '../../testing/wire/raw.ts';

let panel: TestPanel;
let top: TestAccount;
let middle: TestAccount;
let bottom: TestAccount;
let stranger: TestAccount;
beforeAll(async () => {
  panel = await startTestPanel();
  top = await panel.reseller({ credits: 30 });
  middle = await panel.below(top, { credits: 7 });
  bottom = await panel.below(middle, { credits: 2, group_id: '3' });
  stranger = await panel.reseller({ credits: 7 });
});
afterAll(() => panel?.stop());

async function ids(client: TestClient, query = ''): Promise<string[]> {
  const { status, body } = await client.get(`/api/accounts?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.items.map(({ id }: { id: string }) => id);
}

test('everyone sees itself and those below, newest first; an administrator sees all', {
  tags: ['spec:6.2', 'spec:7.10'],
}, async () => {
  expect(await ids(top.client)).toEqual([bottom.id, middle.id, top.id]);
  expect(await ids(middle.client)).toEqual([bottom.id, middle.id]);
  expect(await ids(stranger.client)).toEqual([stranger.id]);
  expect(await ids(panel.admin)).toHaveLength(5);
});

test('an account outside the subtree gives the same reply as a missing one', {
  tags: ['spec:7.7'],
}, async () => {
  const missing = await middle.client.get(`/api/accounts/${crypto.randomUUID()}`);
  expect(missing).toMatchObject({ status: 404, body: { message: 'User not found' } });
  for (const id of [top.id, stranger.id]) {
    const reply = await middle.client.get(`/api/accounts/${id}`);
    expect([reply.status, reply.body]).toEqual([404, missing.body]);
  }
  expect(await middle.client.get('/api/accounts/0')).toMatchObject({
    status: 422,
    body: { message: 'Invalid user ID' },
  });
});

describe('filters', () => {
  test('by group, owner, state and text', async () => {
    expect(await ids(panel.admin, 'group_id=1')).toHaveLength(1);
    // The account at the bottom became a reseller with its first credits.
    expect(await ids(top.client, 'group_id=2')).toEqual([bottom.id, middle.id, top.id]);
    expect(await ids(top.client, `owner_id=${middle.id}`)).toEqual([bottom.id]);
    expect(await ids(stranger.client, `owner_id=${middle.id}`)).toEqual([]);
    expect(await ids(panel.admin, `q=${middle.email.slice(7, 20).toUpperCase()}`)).toEqual([
      middle.id,
    ]);
    expect(await ids(panel.admin, 'q=%25')).toEqual([]);
    expect(await ids(panel.admin, 'q=_')).toEqual([]);
  });

  test('suspended accounts apart from active ones', async () => {
    const ban = (banned: boolean) =>
      panel.services.db
        .updateTable('auth_users')
        .set({ banned })
        .where('id', '=', stranger.id)
        .execute();
    await ban(true);
    const { body } = await panel.admin.get('/api/accounts?status=suspended');
    expect(body.items).toMatchObject([{ id: stranger.id, banned: true, status: 'suspended' }]);
    expect(await ids(panel.admin, 'status=active')).not.toContain(stranger.id);
    await ban(false);
  });

  test('without credits, which administrators never are', async () => {
    const { db } = panel.services;
    const spend = (credits: number) =>
      db.updateTable('auth_users').set({ credits }).where('id', '=', stranger.id).execute();
    const { credits } = await db
      .selectFrom('auth_users')
      .select('credits')
      .where('id', '=', stranger.id)
      .executeTakeFirstOrThrow();
    expect(await ids(panel.admin, 'no_credits=true')).toEqual([]);
    await spend(0);
    expect(await ids(panel.admin, 'no_credits=true')).toEqual([stranger.id]);
    expect(await ids(top.client, 'no_credits=true')).toEqual([]);
    expect(await ids(panel.admin, 'no_credits=false')).not.toContain(stranger.id);
    expect(await ids(panel.admin, 'no_credits=false&group_id=1')).toHaveLength(1);
    await spend(credits);
  });

  test('several values of a filter mean one or the other', async () => {
    expect(await ids(panel.admin, 'group_id=1,2')).toHaveLength(5);
    expect(await ids(panel.admin, 'group_id=3,nobody')).toEqual([]);
    expect(await ids(panel.admin, 'status=suspended,active')).toHaveLength(5);
    const owners = [top.id, middle.id];
    expect(await ids(panel.admin, `owner_id=${owners}`)).toEqual([bottom.id, middle.id]);
  });

  test.each([
    'status=gone',
    'status=',
    'group_id=',
    'group_id=2,',
    'owner_id=me',
    'q=a%00b',
    'group_id=a%00b',
    'sort=password',
  ])('%s is refused', async (query) => {
    expect((await panel.admin.get(`/api/accounts?${query}`)).status).toBe(422);
  });
});

test.each(accountsList.sorts.flatMap((sort) => [sort, `-${sort}`]))(
  'pages sorted by %s hold every account once, equal balances too',
  { tags: ['spec:7.6'] },
  async (sort) => {
    const whole = await ids(panel.admin, `sort=${sort}`);
    const walked: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await panel.admin.get(
        `/api/accounts?limit=2&sort=${sort}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      walked.push(...body.items.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor;
    }
    expect(walked).toEqual(whole);
    expect(new Set(walked).size).toBe(5);
  },
);

test('an administrator is sorted by the balance that is shown', async () => {
  const { body } = await panel.admin.get('/api/accounts?sort=-credits&limit=2');
  expect(body.items.map(({ credits }: Account) => credits)).toEqual([1000, 23]);
  const next = await panel.admin.get(`/api/accounts?sort=-credits&cursor=${body.next_cursor}`);
  expect(next.body.items.map(({ credits }: Account) => credits)).toEqual([7, 5, 2]);
});

describe('figures', () => {
  const items = async (query: string): Promise<Account[]> =>
    (await panel.admin.get(`/api/accounts?${query}`)).body.items;

  test('count own lines and all accounts below, whatever happens to them', async () => {
    const server = (await panel.addServer('http://127.0.0.1:1')).id;
    const { db } = panel.services;
    const seen = async () =>
      Object.fromEntries(
        (await items(`q=${encodeURIComponent('@panel.example')}`)).map((account) => [
          account.id,
          [account.line_count, account.subtree_count],
        ]),
      );
    const names = ['one', 'two', 'three'].map((username) => ({ username }));
    const [one = ''] = await storeLines(db, middle.id, server, names);
    expect(await seen()).toMatchObject({
      [top.id]: [0, 2],
      [middle.id]: [3, 1],
      [bottom.id]: [0, 0],
    });
    await db.updateTable('users').set({ owner_id: bottom.id }).where('id', '=', one).execute();
    expect(await seen()).toMatchObject({ [middle.id]: [2, 1], [bottom.id]: [1, 0] });
    expect(
      (await items('sort=-lines')).map(({ line_count }) => line_count).filter((lines) => lines > 0),
    ).toEqual([2, 1]);
    await db.deleteFrom('users').where('owner_id', '=', middle.id).execute();
    expect(await seen()).toMatchObject({ [middle.id]: [0, 1], [bottom.id]: [1, 0] });
    await db.deleteFrom('users').execute();
  });

  test('who never signed in comes before everybody else', async () => {
    const { body } = await panel.admin.post('/api/accounts', {
      email: 'never@panel.example',
      password: 'a long password',
    });
    const [first, ...others] = await items('sort=last_sign_in');
    expect(first).toMatchObject({ id: body.account.id, last_sign_in_at: null });
    const moments = others.map(({ last_sign_in_at }) => String(last_sign_in_at));
    expect(moments).toEqual(moments.toSorted());
    await panel.services.db.deleteFrom('auth_users').where('id', '=', body.account.id).execute();
  });

  test('say what came, went and was sold, and what all below have', async () => {
    const reply = await panel.admin.get(`/api/accounts/${middle.id}/figures`);
    expect(reply).toMatchObject({
      status: 200,
      body: {
        credits_in: 7,
        credits_out: 2,
        credits_in_lately: 7,
        credits_out_lately: 2,
        by_kind: [{ kind: 'transfer', credits_in: 7, credits_out: 2 }],
        transfer_count: 2,
        lines_below: 0,
        credits_below: 2,
      },
    });
    expect(reply.body.sold).toHaveLength(12);
    expect(Date.parse(reply.body.changed_at)).toBeGreaterThan(0);
    expect(await top.client.get(`/api/accounts/${middle.id}/figures`)).toMatchObject(
      reply.body && {
        body: reply.body,
      },
    );
    expect((await stranger.client.get(`/api/accounts/${middle.id}/figures`)).status).toBe(404);
  });
});

describe('as CSV', () => {
  test('there is what the list finds, in its order, and nobody else’s', async () => {
    const { text, headers } = await sendRaw(panel.url, {
      path: '/api/accounts/csv?sort=-credits&group_id=2',
      headers: { cookie: middle.client.cookie },
    });
    expect(headers['content-type']).toContain('text/csv');
    const [head, ...rows] = text.trim().split('\r\n');
    expect(head).toContain('"email","username","full_name","credits","line_count"');
    expect(rows.map((row) => row.split(',')[0])).toEqual([
      `"${middle.email}"`,
      `"${bottom.email}"`,
    ]);
  });
});

describe('whatever is asked for', () => {
  const asked = (field: string) =>
    ({
      group_id: '1,2,3',
      status: 'active,suspended',
      owner_id: `${top.id},${stranger.id}`,
      no_credits: 'false',
    })[field];
  const filters = Object.values(accountsList.filters);

  test.each(filters)('nobody sees more by $field than without it', async ({ field }) => {
    const own = await ids(middle.client);
    const found = await ids(middle.client, `${field}=${asked(field)}`);
    expect(own).toEqual(expect.arrayContaining(found));
  });

  test.each(accountsList.sorts)('nobody sees more sorted by %s', async (sort) => {
    expect((await ids(middle.client, `sort=${sort}`)).toSorted()).toEqual(
      [bottom.id, middle.id].toSorted(),
    );
  });

  test('nobody finds others by what is searched for', async () => {
    for (const { email } of [top, stranger]) {
      expect(await ids(middle.client, `q=${encodeURIComponent(email)}`)).toEqual([]);
    }
  });
});

test('nothing of a password is ever shown', async () => {
  const { body } = await panel.admin.get('/api/accounts');
  expect(JSON.stringify(body)).not.toMatch(/argon2|password/);
});

test('the prices are those of the product', async () => {
  expect((await top.client.get('/api/credits/prices')).body).toMatchObject([
    { months: 1, cost: 2 },
    { months: 3, cost: 4 },
    { months: 6, cost: 6 },
    { months: 12, cost: 10 },
    { months: 24, cost: 15 },
  ]);
});

test('names are found without their accents, and as they are typed', async () => {
  const account = await panel.reseller();
  await panel.admin.patch(`/api/accounts/${account.id}`, { full_name: 'Łukasz Wójcik-Żółw 100%' });
  for (const q of ['lukasz', 'Łukasz', 'WOJCIK', 'wójcik', 'zolw', 'Zolw 100%', '１００％']) {
    expect(await ids(panel.admin, `q=${encodeURIComponent(q)}`), q).toEqual([account.id]);
  }
  expect(await ids(panel.admin, `q=${encodeURIComponent('l%kasz')}`)).toEqual([]);
});
