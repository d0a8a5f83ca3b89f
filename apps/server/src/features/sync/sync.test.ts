import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { newLine, readServerFiles } from '../../testing/lines.ts';
import { holdPushes } from '../../testing/loops.ts';
import { startTestAgent, startTestPanel, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let away: string;
let other: string;
beforeAll(async () => {
  panel = await startTestPanel();
  agent = await startTestAgent();
  away = (await panel.addServer(agent.url, 'Away')).id;
  const api_port = Number(new URL(agent.url).port);
  other = (await panel.addServer(agent.url, 'Other')).id;
  await agent.close();
  // Concurrently, because after several consecutive failures the server would be in error and
  // refuse sales.
  const sales = await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      panel.admin.post('/api/lines', newLine(`due-${name}`, { server_id: away })),
    ),
  );
  expect(sales.map(({ status }) => status)).toEqual([201, 201, 201]);
  await panel.admin.post('/api/lines', newLine('due-d', { server_id: other }));
  expect(api_port).toBeGreaterThan(0);
});

const list = async (query = '') => (await panel.admin.get(`/api/sync?${query}`)).body;

test('what servers have not taken is listed with what they said', {
  tags: ['spec:8.45'],
}, async () => {
  const { items, total } = await list('sort=username');
  expect(total).toBe(4);
  expect(items[0]).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    server_id: away,
    server_name: 'Away',
    username: 'due-a',
    operation: 'add',
    state: 'failed',
    attempts: expect.any(Number),
    next_try_at: expect.any(String),
    message:
      'User was added to database but could not be added to CCcam server: connection refused',
    finding: {
      code: 'PUSH_NOT_REACHED',
      data: { operation: 'add', reason: 'connection refused' },
    },
    updated_at: expect.any(String),
  });
  expect((await list()).items).toEqual(items);
  expect((await list(`server_id=${other}`)).items).toHaveLength(1);
  expect((await list('state=pending')).total).toBe(0);
  expect((await list('q=due-b')).items).toHaveLength(1);
  expect((await list('q=%25')).items).toEqual([]);

  const names: string[] = [];
  let cursor = '';
  do {
    const page = await list(`sort=-username&limit=3${cursor && `&cursor=${cursor}`}`);
    names.push(...page.items.map(({ username }: { username: string }) => username));
    cursor = page.next_cursor;
  } while (cursor);
  expect(names).toEqual(['due-d', 'due-c', 'due-b', 'due-a']);
});

test('a retry that fails says so, with the error', async () => {
  const [first] = (await list('sort=username')).items;
  const { body } = await panel.admin.post('/api/sync/retry', { ids: [first.id] });
  const message =
    'User was added to database but could not be added to CCcam server: connection refused';
  const data = { operation: 'add', reason: 'connection refused' };
  const sync_finding = { code: 'PUSH_NOT_REACHED', data };
  expect(body).toEqual({ retried: 1, sync: { ok: false, message }, sync_finding });
});

test('is tried again at once: one, then all', async () => {
  const { db } = panel.services;
  const held = await holdPushes(db);
  const later = sql<Date>`now() + interval '15 seconds'`;
  await db.updateTable('server_accounts').set({ next_try_at: later }).execute();
  const before = (await list('sort=username')).items;
  agent = await startTestAgent(Number(new URL(agent.url).port), agent.dir);
  const retry = (body: object) => panel.admin.post('/api/sync/retry', body);
  expect(await retry({})).toMatchObject({
    status: 422,
    body: { fields: { ids: expect.anything() } },
  });
  const both = await retry({ ids: [before[1].id], all: true });
  expect([both.status, both.body.fields]).toEqual([422, { all: 'Invalid value' }]);
  expect((await list()).items).toHaveLength(4);
  expect((await retry({ ids: [crypto.randomUUID()] })).body).toEqual({
    retried: 0,
    sync: null,
    sync_finding: null,
  });
  const taken = { ok: true, message: null };
  await held.release(['due-b']);
  expect((await retry({ ids: [before[1].id] })).body).toEqual({
    retried: 1,
    sync: taken,
    sync_finding: null,
  });
  const { items } = await list('sort=username');
  expect(items.map(({ username }: { username: string }) => username)).toEqual([
    'due-a',
    'due-c',
    'due-d',
  ]);
  expect((await readServerFiles(agent)).cccam.match(/^F: \S+/gm)).toEqual(['F: due-b']);
  await held.release();
  expect((await retry({ all: true })).body).toEqual({
    retried: 3,
    sync: null,
    sync_finding: null,
  });
  await eventually(async () => expect((await list()).total).toBe(0));
  expect((await readServerFiles(agent)).cccam.match(/^F: \S+/gm)).toHaveLength(4);
});

test('deletions that failed are listed by themselves', async () => {
  const lineOf = async (name: string) =>
    (await panel.admin.get(`/api/lines?q=${name}`)).body.items[0].id as string;
  const [deleted, edited] = [await lineOf('due-a'), await lineOf('due-d')];
  await agent.close();
  await panel.admin.delete(`/api/lines/${deleted}`);
  await panel.admin.patch(`/api/lines/${edited}`, { password: 'heron-on-the-lake-9' });
  const { items, total } = await list('state=failed&operation=delete');
  expect(items).toMatchObject([{ username: 'due-a', operation: 'delete', server_name: 'Away' }]);
  expect(total).toBe(1);
  expect((await list('operation=edit,renew')).items).toMatchObject([{ username: 'due-d' }]);
  expect((await list('operation=edit,delete')).total).toBe(2);
  const wrong = await panel.admin.get('/api/sync?operation=remove');
  expect([wrong.status, wrong.body.fields]).toEqual([422, { operation: 'Invalid value' }]);
});
