import { beforeAll, expect, test } from 'vitest';
import { newLine } from '../../testing/lines.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
let seller: TestAccount;
beforeAll(async () => {
  panel = await startTestPanel();
  seller = await panel.reseller();
});

async function addServer(server_name: string, more: object): Promise<string> {
  const { body } = await panel.admin.post('/api/servers', {
    ...{ server_name, host_ip: '10.1.2.3', port: 12000, username: 'panel', password: 'secret' },
    ...more,
  });
  const { id } = body.server;
  const { db } = panel.services;
  await db.updateTable('cccam_servers').set({ status: 'active' }).where('id', '=', id).execute();
  return id;
}

test('a NewCamd server without ports takes no new lines until it has some', async () => {
  const older = await addServer('Frankfurt', {});
  const id = await addServer('Warsaw', { protocol: 'NewCamd' });
  const named = await seller.client.post('/api/lines', newLine('named', { server_id: id }));
  expect([named.status, named.body.code]).toEqual([422, 'SERVER_CLOSED']);
  // A sale without a server goes to the next server that is offered.
  const { body } = await seller.client.post('/api/lines', newLine('unnamed'));
  expect(body.line.server_id).toBe(older);
  const moved = await panel.admin.patch(`/api/lines/${body.line.id}`, { server_id: id });
  expect([moved.status, moved.body.code]).toEqual([422, 'SERVER_CLOSED']);
  const rows = [
    { username: 'row', password: 'tulip-harbor', subscription_months: 1, server: 'Warsaw' },
  ];
  const imported = await seller.client.post('/api/lines/bulk', {
    ...{ action: 'import', rows, preview: true },
  });
  expect(imported.body.job.items[0].error).toMatchObject({ code: 'SERVER_CLOSED' });
  const choices = (await seller.client.get('/api/servers/choices')).body;
  expect(choices).toMatchObject([{ id, takes_no_lines: 'closed' }, { takes_no_lines: null }]);

  const offered = await panel.admin.patch(`/api/servers/${id}`, { closed_to_new_lines: false });
  expect([offered.status, offered.body.fields]).toEqual([
    422,
    { newcamd_ports: 'This field is required' },
  ]);
  const newcamd_ports = [{ port: 15001, caid: '0500' }];
  const both = { newcamd_ports, closed_to_new_lines: false };
  expect((await panel.admin.patch(`/api/servers/${id}`, both)).status).toBe(200);
  const sold = await seller.client.post('/api/lines', newLine('sold'));
  expect(sold.body.line.server_id).toBe(id);

  // Without ports, the server is no longer offered.
  await panel.admin.patch(`/api/servers/${id}`, { newcamd_ports: [] });
  const left = (await seller.client.get('/api/servers/choices')).body;
  expect(left[0]).toMatchObject({ id, takes_no_lines: 'closed' });
});
