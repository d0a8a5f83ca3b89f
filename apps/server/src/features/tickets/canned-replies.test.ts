import { beforeAll, expect, test } from 'vitest';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await startTestPanel();
});

const add = (title: string, content = 'Text') =>
  panel.admin.post('/api/canned-replies', { title, content });
const titles = async () =>
  (await panel.admin.get('/api/canned-replies')).body.items.map(
    ({ title }: { title: string }) => title,
  );

test('canned replies are added, changed, deleted and sorted by title', async () => {
  const [late, early] = [await add('Ödland'), await add('Moved')];
  expect([late.status, early.status]).toEqual([201, 201]);
  expect(await titles()).toEqual(['Moved', 'Ödland']);
  const path = `/api/canned-replies/${early.body.canned_reply.id}`;
  const { body } = await panel.admin.patch(path, { content: 'It was moved.' });
  expect(body.canned_reply).toMatchObject({ title: 'Moved', content: 'It was moved.' });
  expect((await panel.admin.delete(path)).status).toBe(200);
  expect((await panel.admin.delete(path)).body.message).toBe('Canned reply not found');
  expect(await titles()).toEqual(['Ödland']);
});

test('two of one title are refused, however it is written', async () => {
  await add('Greeting');
  const second = await add('Farewell');
  expect((await add('GREETING')).body.code).toBe('CANNED_REPLY_EXISTS');
  const path = `/api/canned-replies/${second.body.canned_reply.id}`;
  expect((await panel.admin.patch(path, { title: 'greeting' })).status).toBe(409);
  expect((await panel.admin.patch(path, { title: 'FAREWELL' })).status).toBe(200);
});

test('nobody but administrators reads them', async () => {
  const { client } = await panel.reseller();
  expect((await client.get('/api/canned-replies')).status).toBe(403);
});
