import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { storeLines } from '../../testing/lines.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';
import { openStream } from '../../testing/wire/streams.ts';

describe.each(databases)('moving an account on %s', (kind) => {
  let panel: TestPanel;
  let server: string;
  let left: TestAccount;
  let right: TestAccount;
  let moved: TestAccount;
  let under: TestAccount;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
    server = (await panel.addServer('http://127.0.0.1:1')).id;
  });
  beforeEach(async () => {
    left = await panel.reseller();
    right = await panel.reseller();
    moved = await panel.below(left, { credits: 9 });
    under = await panel.below(moved, { credits: 4 });
  });
  afterAll(() => panel?.stop());

  const move = (id: string, owner_id: unknown, client = panel.admin) =>
    client.patch(`/api/accounts/${id}`, { owner_id });
  const seen = async ({ client }: TestAccount) =>
    (await client.get('/api/accounts')).body.items.map(({ id }: TestAccount) => id);
  const figures = async ({ id }: TestAccount) => {
    const { line_count, subtree_count } = (await panel.admin.get(`/api/accounts/${id}`)).body;
    return [line_count, subtree_count];
  };

  test('takes along all below it, with their lines', async () => {
    await storeLines(panel.services.db, under.id, server, [{ username: `of-${under.id}` }]);
    expect(await move(moved.id, right.id)).toMatchObject({
      status: 200,
      body: { account: { id: moved.id, owner_id: right.id, credits: 5, subtree_count: 1 } },
    });
    expect(await seen(left)).toEqual([left.id]);
    expect(await seen(right)).toEqual([under.id, moved.id, right.id]);
    expect((await left.client.get('/api/lines')).body.total).toBe(0);
    expect((await right.client.get('/api/lines')).body.total).toBe(1);
    expect([await figures(left), await figures(right), await figures(moved)]).toEqual([
      [0, 0],
      [0, 2],
      [0, 1],
    ]);
    expect(await figures(under)).toEqual([1, 0]);
    const taken = await right.client.post(`/api/accounts/${under.id}/credits/take-back`, {
      amount: 4,
    });
    expect(taken.status).toBe(200);
  });

  test('to nobody, and back, is heard live above both', async () => {
    const above = await panel.reseller();
    await move(left.id, above.id);
    const streams = await Promise.all([above, left, right].map(({ client }) => openStream(client)));
    await move(moved.id, right.id);
    const account = { table: 'auth_users', op: 'UPDATE', id: moved.id } as const;
    const lines = { table: 'users', op: 'UPDATE', id: null } as const;
    for (const { events, close } of streams) {
      await eventually(() => expect(events).toEqual(expect.arrayContaining([account, lines])));
      close();
    }
    expect((await move(moved.id, null)).body.account.owner_id).toBeNull();
    expect(await seen(right)).toEqual([right.id]);
    expect(await figures(above)).toEqual([0, 1]);
  });

  test('is told to all who lose it and all who gain it, and to nobody who keeps it', async () => {
    const above = await panel.reseller();
    const top = await panel.reseller();
    await move(above.id, top.id);
    await move(left.id, above.id);
    const other = await panel.below(top);
    await move(right.id, other.id);
    const newest = async ({ client }: TestAccount) => {
      const { items } = (await client.get('/api/notifications')).body;
      const about = items.filter(({ title }: { title: string }) => title.includes(moved.email));
      return about.map(({ title, link }: { title: string; link: string }) => [title, link]);
    };
    const created = await newest(left);
    await move(moved.id, right.id);
    const [away, here] = [
      `Account moved away: ${moved.email}`,
      `Account moved to you: ${moved.email}`,
    ];
    expect(await newest(left)).toEqual([[away, '/accounts'], ...created]);
    expect(await newest(above)).toEqual([[away, '/accounts']]);
    expect(await newest(right)).toEqual([[here, `/accounts/${moved.id}`]]);
    expect(await newest(other)).toEqual([[here, `/accounts/${moved.id}`]]);
    expect(await newest(top)).toEqual([]);
    await move(moved.id, right.id);
    expect(await newest(right)).toHaveLength(1);
  });

  test('in a circle is refused in words, and nothing moves', async () => {
    for (const owner of [moved.id, under.id]) {
      expect(await move(moved.id, owner)).toMatchObject({
        status: 422,
        body: {
          code: 'ACCOUNT_CIRCLE',
          fields: {
            owner_id: 'An account cannot be moved below itself or below one of its own accounts',
          },
        },
      });
    }
    expect(await seen(left)).toEqual([under.id, moved.id, left.id]);
  });

  test('two ways at once that would make a circle together does not happen', async () => {
    const replies = await Promise.all([move(left.id, right.id), move(right.id, under.id)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  test('is for administrators, and into an account that is there', async () => {
    expect(await move(under.id, left.id, left.client)).toMatchObject({
      status: 422,
      body: { fields: { owner_id: 'Only an administrator can set this field' } },
    });
    expect((await move(under.id, left.id, right.client)).status).toBe(404);
    expect((await move(crypto.randomUUID(), left.id)).status).toBe(404);
    for (const owner of [crypto.randomUUID(), 'me', '']) {
      expect(await move(under.id, owner)).toMatchObject({
        status: 422,
        body: { fields: { owner_id: 'Invalid user ID' } },
      });
    }
    const nothing = await left.client.patch(`/api/accounts/${under.id}`, {});
    expect(nothing).toMatchObject({ status: 200, body: { account: { owner_id: moved.id } } });
  });

  test('is written to the audit log with both owners', async () => {
    await move(moved.id, right.id);
    const entry = await panel.services.db
      .selectFrom('audit_log')
      .select(['action', 'before', 'after'])
      .where('subject_id', '=', moved.id)
      .where('action', '=', 'account.edit')
      .executeTakeFirstOrThrow();
    expect(entry).toMatchObject({ before: { owner_id: left.id }, after: { owner_id: right.id } });
  });
});
