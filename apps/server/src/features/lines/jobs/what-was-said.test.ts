import { beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { readJob, runBulk, undoBulk } from '../../../testing/jobs.ts';
import { newLine } from '../../../testing/lines.ts';
import { startTestAgent, startTestPanel, type TestPanel } from '../../../testing/panel.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let server_id: string;
beforeAll(async () => {
  agent = await startTestAgent();
  panel = await startTestPanel('postgres');
  ({ id: server_id } = await panel.addServer(agent.url));
  return async () => {
    await panel.stop();
    await agent.close();
  };
});

const state = async (id: string) => (await panel.admin.get(`/api/lines/${id}`)).body.sync_state;

test('a job answers for what it changed, and not for what others change later', async () => {
  const seller = await panel.reseller({ credits: 100 });
  const ids: string[] = [];
  for (const name of ['said-a', 'said-b']) {
    const { body } = await seller.client.post('/api/lines', newLine(name, { server_id }));
    ids.push(body.line.id);
  }
  const [later = '', earlier = ''] = ids;
  const job = await runBulk(seller.client, { action: 'renew', ids, subscription_months: 1 });
  await eventually(async () =>
    expect(await Promise.all(ids.map(state))).toEqual(['synced', 'synced']),
  );

  const port = Number(new URL(agent.url).port);
  await agent.close();
  await panel.admin.post(`/api/lines/${later}/renew`, { subscription_months: 1 });
  await eventually(async () => expect(await state(later)).toBe('failed'));
  const said = await readJob(seller.client, job.id);
  expect(said).toMatchObject({ done: 2, not_synced: 0, waits_on: [] });
  expect(said.items.map(({ sync_state }) => sync_state)).toEqual(['synced', 'synced']);

  const { body } = await seller.client.post(`/api/lines/${earlier}/renew`, {
    subscription_months: 1,
  });
  await eventually(async () => expect(await state(earlier)).toBe('failed'));
  const { server_name } = (await panel.admin.get(`/api/servers/${server_id}`)).body;
  const waits = await readJob(seller.client, body.job_id);
  expect(waits).toMatchObject({ not_synced: 1, waits_on: [server_name] });
  expect(waits.items[0]?.sync_state).toBe('failed');
  agent = await startTestAgent(port, agent.dir);
  await eventually(async () =>
    expect(await readJob(seller.client, body.job_id)).toMatchObject({
      not_synced: 0,
      waits_on: [],
    }),
  );
});

test('a job says how many of its lines are pending, and so does its undo of those it deletes', async () => {
  const seller = await panel.reseller({ credits: 100 });
  const port = Number(new URL(agent.url).port);
  await agent.close();
  const names = ['pends-a', 'pends-b'];
  const rows = names.map((name) => newLine(name, { server_id }));
  const sold = await runBulk(seller.client, { action: 'import', rows });
  const refused = { done: 2, not_synced: 2, pending: 0 };
  await eventually(async () => {
    expect(await readJob(seller.client, sold.id)).toMatchObject(refused);
  });
  const { id } = await undoBulk(seller.client, sold.id);
  const undone = () => readJob(seller.client, id);
  expect(await undone()).toMatchObject({ state: 'done', done: 2, pending: 2 });
  agent = await startTestAgent(port, agent.dir);
  await eventually(async () => expect((await undone()).pending).toBe(0));
});
