import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBulk, undoBulk } from '../../testing/jobs.ts';
import { newLine } from '../../testing/lines.ts';
import { startTestShop, type TestAgent, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
let agent: TestAgent;
let cccam: string;
let newcamd: string;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ panel, agent, serverId: cccam, stop } = await startTestShop());
  ({ id: newcamd } = await panel.addServer(agent.url, 'Warsaw'));
  await panel.admin.patch(`/api/servers/${newcamd}`, {
    ...{ protocol: 'NewCamd', port: 15_000, newcamd_ports: [{ port: 15_001, caid: '0500' }] },
  });
});
afterAll(() => stop?.());

const sell = async (username: string, more: Record<string, unknown>) =>
  (await panel.admin.post('/api/lines', newLine(username, more))).body.line;
const protocolOf = async ({ id }: { id: string }) =>
  (await panel.admin.get(`/api/lines/${id}`)).body.protocol;

test('a line has the protocol of the server that it is sold on, unless another is said', async () => {
  expect(await sell('own-1', { server_id: cccam })).toMatchObject({ protocol: 'cccam' });
  expect(await sell('own-2', { server_id: newcamd })).toMatchObject({
    protocol: 'newcamd',
    host_port: ['127.0.0.1:15000'],
  });
  const said = await sell('own-3', { server_id: newcamd, protocol: 'cs378x' });
  expect(said).toMatchObject({ protocol: 'cs378x' });
});

test('so has one from a file', async () => {
  const rows = [
    { username: 'file-1', password: 'in-a-file', subscription_months: '1', server: 'Warsaw' },
    {
      username: 'file-2',
      password: 'in-a-file',
      subscription_months: '1',
      server: 'Warsaw',
      protocol: 'cccam',
    },
  ];
  await runBulk(panel.admin, { action: 'import', rows });
  const { items } = (await panel.admin.get('/api/lines?q=file-&sort=username')).body;
  expect(items).toMatchObject([{ protocol: 'newcamd' }, { protocol: 'cccam' }]);
});

test('it changes with the server, alone, with others, and back', async () => {
  const line = await sell('moved-1', { server_id: cccam });
  const moved = await panel.admin.patch(`/api/lines/${line.id}`, { server_id: newcamd });
  expect(moved.body.line).toMatchObject({ protocol: 'newcamd', host_port: ['127.0.0.1:15000'] });
  const job = await runBulk(panel.admin, { action: 'move', ids: [line.id], server_id: cccam });
  expect(await protocolOf(line)).toBe('cccam');
  await undoBulk(panel.admin, job.id);
  expect(await protocolOf(line)).toBe('newcamd');
});

test('one that was chosen for the line stays when it moves', async () => {
  const line = await sell('moved-2', { server_id: cccam, protocol: 'cs378x' });
  const moved = await panel.admin.patch(`/api/lines/${line.id}`, { server_id: newcamd });
  expect(moved.body.line).toMatchObject({ protocol: 'cs378x', host_port: ['127.0.0.1:15000'] });
});
