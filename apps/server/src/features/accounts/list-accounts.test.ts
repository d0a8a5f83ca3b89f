import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestClient } from '../../testing/client.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';

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

test('everyone sees itself and those below, newest first; an administrator sees all', async () => {
  expect(await ids(top.client)).toEqual([bottom.id, middle.id, top.id]);
  expect(await ids(middle.client)).toEqual([bottom.id, middle.id]);
  expect(await ids(stranger.client)).toEqual([stranger.id]);
  expect(await ids(panel.admin)).toHaveLength(5);
});

test('an account that is not below answers like one that is not there', async () => {
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
    // Opening credits made the one at the bottom a reseller.
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

  test.each(['status=gone', 'owner_id=me', 'q=a%00b', 'group_id=a%00b', 'sort=password'])(
    '%s is refused',
    async (query) => {
      expect((await panel.admin.get(`/api/accounts?${query}`)).status).toBe(422);
    },
  );
});

test.each(['created_at', '-created_at', 'email', '-email', 'credits', '-credits'])(
  'pages sorted by %s hold every account once, equal balances too',
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

test('nothing of a password is ever shown', async () => {
  const { body } = await panel.admin.get('/api/accounts');
  expect(JSON.stringify(body)).not.toMatch(/argon2|password/);
});

test('the prices are those of the product', async () => {
  expect((await top.client.get('/api/credits/prices')).body).toEqual([
    { months: 1, cost: 2 },
    { months: 3, cost: 4 },
    { months: 6, cost: 6 },
    { months: 12, cost: 10 },
    { months: 24, cost: 15 },
  ]);
});
