import { beforeAll, expect, test } from 'vitest';
import type { TestClient } from '../../../testing/client.ts';
import { newLine } from '../../../testing/lines.ts';
import { startTestShop, type TestAccount, type TestPanel } from '../../../testing/panel.ts';

let panel: TestPanel;
/** The accounts form a chain, top → middle → bottom; the stranger is outside it. */
const people: Record<string, TestAccount> = {};
const lines: Record<string, string> = {};

beforeAll(async () => {
  const shop = await startTestShop();
  panel = shop.panel;
  people.top = await panel.reseller();
  people.stranger = await panel.reseller();
  people.middle = await panel.below(people.top, { credits: 10 });
  people.bottom = await panel.below(people.middle, { credits: 4 });
  for (const [name, { client }] of Object.entries(people)) {
    lines[name] = (await client.post('/api/lines', newLine(`of-${name}`))).body.line.id;
  }
  return shop.stop;
});

async function seenBy(client: TestClient, query = ''): Promise<string[]> {
  const { body } = await client.get(`/api/lines?sort=username${query}`);
  expect(body.total).toBe(body.items.length);
  return body.items.map(({ username }: { username: string }) => username);
}

const expected: Record<string, string[]> = {
  top: ['of-bottom', 'of-middle', 'of-top'],
  middle: ['of-bottom', 'of-middle'],
  bottom: ['of-bottom'],
  stranger: ['of-stranger'],
};

test.each(Object.entries(expected))(
  '%s sees its own lines and those below: %j',
  async (name, seen) => {
    const { client } = people[name]!;
    expect(await seenBy(client)).toEqual(seen);
    expect(await seenBy(client, '&q=of-')).toEqual(seen);
    expect((await client.get('/api/lines/counts')).body.all).toBe(seen.length);
  },
);

test('asking for someone else’s lines shows none', async () => {
  const { top, stranger } = people;
  expect(await seenBy(stranger!.client, `&owner_id=${top!.id}`)).toEqual([]);
});

test('an administrator sees all', { tags: ['spec:6.2'] }, async () => {
  expect(await seenBy(panel.admin)).toEqual(['of-bottom', 'of-middle', 'of-stranger', 'of-top']);
});

test('another account’s line gives the same reply as a missing one', async () => {
  const missing = crypto.randomUUID();
  const calls = [
    (id: string) => people.middle!.client.get(`/api/lines/${id}`),
    (id: string) => people.middle!.client.post(`/api/lines/${id}/sync`),
    (id: string) => people.middle!.client.post(`/api/lines/${id}/reveal`),
    (id: string) =>
      people.middle!.client.post('/api/lines/quote', {
        action: 'renew',
        line_id: id,
        subscription_months: 1,
      }),
  ];
  for (const call of calls) {
    const [own, above, beside, none] = await Promise.all(
      [lines.bottom!, lines.top!, lines.stranger!, missing].map(call),
    );
    expect(own?.status).toBe(200);
    for (const reply of [above, beside, none]) {
      expect(reply).toMatchObject({
        status: 404,
        body: { code: 'LINE_NOT_FOUND', message: 'User not found', data: {} },
      });
      expect(reply?.body).toEqual(none?.body);
    }
  }
});

test('a malformed id is refused', async () => {
  expect(await people.top!.client.get('/api/lines/42')).toMatchObject({
    status: 422,
    body: { message: 'Invalid user ID' },
  });
});

test('group 3 sees no lines, and nobody without a session does', {
  tags: ['spec:6.10'],
}, async () => {
  const { client } = await panel.reseller({ credits: 0, group_id: '3' });
  for (const path of ['/api/lines', '/api/lines/counts', `/api/lines/${lines.top}`]) {
    expect(await client.get(path)).toMatchObject({
      status: 403,
      body: { message: 'You do not have permission to do this' },
    });
    expect(await panel.anonymous().get(path)).toMatchObject({
      status: 401,
      body: { message: 'No authenticated user found' },
    });
  }
});

test('a seller moved elsewhere in the tree takes its lines along', async () => {
  const { top, bottom, stranger } = people;
  const move = (owner_id: string) =>
    panel.services.db
      .updateTable('auth_users')
      .set({ owner_id })
      .where('id', '=', bottom!.id)
      .execute();
  await move(stranger!.id);
  expect(await seenBy(top!.client)).toEqual(['of-middle', 'of-top']);
  expect(await seenBy(stranger!.client)).toEqual(['of-bottom', 'of-stranger']);
  await move(people.middle!.id);
  expect(await seenBy(top!.client)).toEqual(expected.top);
});
