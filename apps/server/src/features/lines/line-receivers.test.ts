import papaparse from 'papaparse';
import { beforeAll, expect, test } from 'vitest';
import { previewBulk } from '../../testing/jobs.ts';
import { newLine } from '../../testing/lines.ts';
import { startTestShop, type TestAccount, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
let seller: TestAccount;
let both: string;
let cccam: string;
let newcamd: string;
const password = 'Gehäim:=1';
const ports = [
  { port: 12001, caid: '0500', provid: '030b00' },
  { port: 12002, caid: '0b00' },
];
const usualKey = '01 02 03 04 05 06 07 08 09 10 11 12 13 14';

beforeAll(async () => {
  const shop = await startTestShop();
  ({ panel, serverId: cccam } = shop);
  ({ id: both } = await panel.addServer(shop.agent.url, 'Warsaw 2'));
  ({ id: newcamd } = await panel.addServer(shop.agent.url, 'Lisbon'));
  await panel.admin.patch(`/api/servers/${both}`, { newcamd_ports: ports });
  seller = await panel.reseller();
  return shop.stop;
});

async function sell(username: string, server_id: string, more: Record<string, unknown> = {}) {
  const sale = newLine(username, { password, server_id, ...more });
  const { status, body } = await seller.client.post('/api/lines', sale);
  expect(status).toBe(201);
  return body.line;
}
const receivers = async (id: string, client = seller.client) =>
  await client.get(`/api/lines/${id}/receivers`);

test('a CCcam line has a C line and a reader', async () => {
  const line = await sell('only-c', cccam);
  const { status, headers, body } = await receivers(line.id);
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toContain('no-store');
  expect(body.cccam).toBe(`C: ${line.host_port[0].replace(':', ' ')} only-c ${password}`);
  expect(body.newcamd).toEqual([]);
  expect(body.oscam.match(/\[reader\]/g)).toHaveLength(1);
  expect(body.oscam).toContain(`password          = ${password}\n`);
});

test('where the server has NewCamd ports there is an N line for each, too', async () => {
  const line = await sell('speaks-both', both, { host_port: ['waw2.lines.example:12000'] });
  const { body } = await receivers(line.id);
  expect(body.cccam).toBe(`C: waw2.lines.example 12000 speaks-both ${password}`);
  expect(body.newcamd).toEqual([
    `N: waw2.lines.example 12001 speaks-both ${password} ${usualKey}`,
    `N: waw2.lines.example 12002 speaks-both ${password} ${usualKey}`,
  ]);
  expect(body.oscam.match(/^(label|device) .*$/gm)).toEqual([
    'label             = warsaw2',
    'device            = waw2.lines.example,12000',
    'label             = warsaw2-0500',
    'device            = waw2.lines.example,12001',
    'label             = warsaw2-0b00',
    'device            = waw2.lines.example,12002',
  ]);
});

test('a server that speaks NewCamd only gives no C line, and nothing before it has ports', async () => {
  const line = await sell('only-n', newcamd);
  const withoutPorts = { protocol: 'NewCamd', port: 15_000, closed_to_new_lines: true };
  expect((await panel.admin.patch(`/api/servers/${newcamd}`, withoutPorts)).status).toBe(200);
  const nothing = { cccam: null, newcamd: [], oscam: '' };
  expect((await receivers(line.id)).body).toEqual({
    ...nothing,
    servers: [{ ...nothing, server_id: newcamd, server_name: expect.any(String) }],
  });
  const des_key = 'A1 B2 C3 D4 E5 F6 07 18 29 3A 4B 5C 6D 7E';
  // A form sends an empty text if there is no provider.
  const set = { des_key, newcamd_ports: [{ port: 15_001, caid: '1884', provid: '' }] };
  const saved = await panel.admin.patch(`/api/servers/${newcamd}`, set);
  expect(saved).toMatchObject({
    status: 200,
    body: { server: { newcamd_ports: [{ port: 15_001, caid: '1884' }] } },
  });
  expect(saved.body.server.newcamd_ports[0]).not.toHaveProperty('provid');
  const { body } = await receivers(line.id);
  expect(body.cccam).toBeNull();
  expect(body.newcamd).toEqual([
    `N: 127.0.0.1 15001 only-n ${password} a1 b2 c3 d4 e5 f6 07 18 29 3a 4b 5c 6d 7e`,
  ]);
  expect(body.oscam).toContain('key               = A1B2C3D4E5F60718293A4B5C6D7E\n');
  expect(body.oscam).not.toContain('cccam');
});

test('a line without an address of its own has that of its server', async () => {
  const line = await sell('no-address', both);
  await seller.client.patch(`/api/lines/${line.id}`, { host_port: [] });
  const { host_port } = (await seller.client.get(`/api/lines/${line.id}`)).body;
  expect(host_port).toEqual([]);
  const { body: server } = await seller.client.get(`/api/lines/${line.id}/server`);
  expect(server).toMatchObject({ id: both, server_name: 'Warsaw 2', protocol: 'CCcam' });
  expect(server).toMatchObject({ des_key: null, newcamd_ports: ports });
  const address = server.host_port.replace(':', ' ');
  expect((await receivers(line.id)).body.cccam).toBe(`C: ${address} no-address ${password}`);
});

test('each look is noted like a reveal, and holds no password', async () => {
  const line = await sell('looked-at', both);
  await receivers(line.id);
  await receivers(line.id, panel.admin);
  const { id: adminId } = (await panel.admin.get('/api/me')).body;
  const noted = await panel.services.db
    .selectFrom('audit_log')
    .select(['actor_id', 'subject_type', 'data', 'before', 'after'])
    .where('subject_id', '=', line.id)
    .where('action', '=', 'line.reveal')
    .orderBy('id')
    .execute();
  const look = { subject_type: 'line', data: {} };
  expect(noted).toMatchObject([
    { ...look, actor_id: seller.id },
    { ...look, actor_id: adminId },
  ]);
  expect(JSON.stringify(noted)).not.toContain(password);
});

test('someone else’s line is not there, another site is refused, and nothing is noted', async () => {
  const line = await sell('not-theirs', both);
  const { client } = await panel.reseller();
  expect(await receivers(line.id, client)).toMatchObject({
    status: 404,
    body: { message: 'User not found' },
  });
  expect((await client.get(`/api/lines/${line.id}/server`)).status).toBe(404);
  const foreign = await seller.client.send('GET', `/api/lines/${line.id}/receivers`, undefined, {
    'sec-fetch-site': 'cross-site',
  });
  expect(foreign.status).toBe(403);
  const noted = await panel.services.db
    .selectFrom('audit_log')
    .select('id')
    .where('subject_id', '=', line.id)
    .where('action', '=', 'line.reveal')
    .execute();
  expect(noted).toEqual([]);
});

test('the file of lines has the ports and the key, and is taken by an import', async () => {
  await sell('in-a-file', both);
  await sell('in-a-file-too', cccam);
  const { body } = await seller.client.get('/api/lines/csv?q=in-a-file&sort=username');
  const { data } = papaparse.parse<Record<string, string>>(body.replace(/^\ufeff/, ''), {
    header: true,
    skipEmptyLines: true,
  });
  expect(data).toMatchObject([
    { newcamd_ports: '12001@0500:030B00|12002@0B00', des_key: usualKey },
    { newcamd_ports: '', des_key: '' },
  ]);
  const { newcamd_ports, des_key } = data[0] as Record<string, string>;
  const row = { username: 'from-a-file', password, subscription_months: '1' };
  const { items } = await previewBulk(seller.client, {
    action: 'import',
    rows: [{ ...row, newcamd_ports, des_key }],
  });
  expect(items[0]).toMatchObject({ error: null });
});
