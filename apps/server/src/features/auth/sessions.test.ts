import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { TestClient } from '../../testing/client.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';
import { openStream } from '../../testing/wire/streams.ts';

const PATH = '/api/auth/sessions';

let panel: TestPanel;
let seller: TestAccount;
beforeAll(async () => {
  panel = await startTestPanel();
});
beforeEach(async () => {
  seller = await panel.reseller();
});

async function another(): Promise<TestClient> {
  const client = panel.anonymous();
  await client.signIn(seller.email, seller.password);
  return client;
}
const sessionsOf = async (client: TestClient) => (await client.get(PATH)).body.items;
const idOf = async (client: TestClient): Promise<string> =>
  (await sessionsOf(client)).find(({ is_current }: { is_current: boolean }) => is_current).id;
const statusOf = async (client: TestClient) => (await client.get('/api/me')).status;

test('the own sessions are listed, the current one first and marked', async () => {
  await another();
  const items = await sessionsOf(seller.client);
  expect(items.map(({ is_current }: { is_current: boolean }) => is_current)).toEqual([true, false]);
  expect(items[0]).toEqual({
    id: expect.any(String),
    is_current: true,
    address: '127.0.0.1',
    user_agent: 'node',
    created_at: expect.any(String),
    last_used_at: expect.any(String),
    expires_at: expect.any(String),
  });
  const said = JSON.stringify(items);
  const [token = ''] = decodeURIComponent(seller.client.cookie.split('=')[1] ?? '').split('.');
  expect(token.length).toBeGreaterThan(20);
  expect(said).not.toContain(token);
});

test('one that is ended is dead at once, with its streams, and the others go on', async () => {
  const other = await another();
  const [ended, kept] = [await openStream(other), await openStream(seller.client)];
  const id = await idOf(other);
  expect((await seller.client.delete(`${PATH}/${id}`)).body).toEqual({ success: true });
  expect(await statusOf(other)).toBe(401);
  await ended.ended;
  expect([await statusOf(seller.client), kept.isOpen()]).toEqual([200, true]);
  kept.close();
  const again = await seller.client.delete(`${PATH}/${id}`);
  expect([again.status, again.body.code]).toEqual([404, 'SESSION_NOT_FOUND']);
});

test('nobody ends a session of others, not even an administrator', async () => {
  const id = await idOf(seller.client);
  const stranger = await panel.reseller();
  for (const client of [stranger.client, panel.admin]) {
    expect((await client.delete(`${PATH}/${id}`)).status).toBe(404);
  }
  expect((await panel.anonymous().delete(`${PATH}/${id}`)).status).toBe(401);
  expect(await statusOf(seller.client)).toBe(200);
});

test('all others end together', async () => {
  const others = [await another(), await another()];
  expect((await seller.client.delete(PATH)).body).toEqual({ ended: 2 });
  for (const client of others) expect(await statusOf(client)).toBe(401);
  expect(await sessionsOf(seller.client)).toHaveLength(1);
  expect((await seller.client.delete(PATH)).body).toEqual({ ended: 0 });
});

test('expired ones are not listed, and the last use is known to five minutes', async () => {
  const id = await idOf(await another());
  const mine = await idOf(seller.client);
  const edit = (sessionId: string, change: object) =>
    panel.services.db
      .updateTable('auth_sessions')
      .set(change)
      .where('id', '=', sessionId)
      .execute();
  await edit(id, { expires_at: sql`now() - interval '1 second'` });
  await edit(mine, { last_used_at: sql`now() - interval '4 minutes'` });
  const age = async () => {
    const [{ last_used_at }] = await sessionsOf(seller.client);
    return Math.round((Date.now() - Date.parse(last_used_at)) / 60_000);
  };
  expect(await age()).toBe(4);
  expect(await sessionsOf(seller.client)).toHaveLength(1);
  await edit(mine, { last_used_at: sql`now() - interval '6 minutes'` });
  await seller.client.get('/api/me');
  expect(await age()).toBe(0);
});
