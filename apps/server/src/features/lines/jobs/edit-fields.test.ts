import { afterAll, beforeAll, expect, test } from 'vitest';
import { previewBulk, requestBulk, runBulk, undoBulk } from '../../../testing/jobs.ts';
import { newLine } from '../../../testing/lines.ts';
import {
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';

let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let seller: TestAccount;
const ids: string[] = [];
beforeAll(async () => {
  agent = await startTestAgent();
  panel = await startTestPanel('postgres');
  await panel.addServer(agent.url);
  seller = await panel.reseller({ credits: 20 });
  for (const more of [{ company: 'Old' }, { notes: 'kept' }, {}]) {
    const line = newLine(`fields${ids.length}`, more);
    ids.push((await seller.client.post('/api/lines', line)).body.line.id);
  }
});
afterAll(async () => {
  await panel?.stop();
  await agent?.close();
});

const everything = {
  protocol: 'newcamd',
  host_port: ['a.example:12000', 'b.example:12000'],
  name: 'Name',
  company: 'Salon',
  role: 'Guest',
  email: 'a@b.example',
  avatar_url: 'https://a.example/face.png',
  user_value: 'value',
  live_channel: 'Sport',
  info: 'upstairs',
};
const read = (id: string | undefined) =>
  seller.client.get(`/api/lines/${id}`).then(({ body }) => body);

test('all that many lines can share is changed, previewed and put back', async () => {
  const before = await Promise.all(ids.map(read));
  const edit = { action: 'edit', ids, ...everything };
  const preview = await previewBulk(seller.client, edit);
  expect(preview.items[0]).toMatchObject({
    before: { company: 'Old', name: null, live_channel: 'Info' },
    after: everything,
  });
  // The new address is one that customers must enter.
  expect(preview.to_tell).toBe(ids.length);
  const job = await runBulk(seller.client, edit);
  expect(job).toMatchObject({ done: ids.length, failed: 0, cost: 0, to_tell: ids.length });
  for (const id of ids) expect(await read(id)).toMatchObject(everything);
  expect(await read(ids[1])).toMatchObject({ notes: 'kept' });
  expect(await undoBulk(seller.client, job.id)).toMatchObject({ done: ids.length });
  const after = await Promise.all(ids.map(read));
  for (const [index, line] of after.entries()) {
    const fields = Object.keys(everything).map((field) => [field, before[index][field]]);
    expect(line).toMatchObject(Object.fromEntries(fields));
  }
});

test('an empty text is removed, and a line that is so already is skipped', async () => {
  const preview = await previewBulk(seller.client, { action: 'edit', ids, company: '' });
  expect(preview.items.map(({ state }) => state)).toEqual(['waiting', 'skipped', 'skipped']);
  expect(preview.items[0]?.after).toEqual({ company: null });
  expect(preview.to_tell).toBe(0);
});

test.each([
  { host_port: ['nonsense'] },
  { email: 'nobody' },
  { username: 'same' },
  { password: 'same' },
  { expiry_date: '2030-01-01' },
  {},
])('%o is refused', async (fields) => {
  const { status } = await requestBulk(seller.client, { action: 'edit', ids, ...fields });
  expect(status).toBe(422);
});
