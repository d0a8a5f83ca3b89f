import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../platform/config/config.ts';
import { createServices } from '../services.ts';
import { startTestPanel, type TestPanel } from '../testing/panel.ts';

let panel: TestPanel;
let canary: Server;
let port = 0;
let hits = 0;
const login = { username: 'panel', password: 'pw' };

/** The address policy of a panel with this environment. */
function permitsOf(env: Record<string, string>): (address: string) => boolean {
  const config = readConfig({ ...panel.env, ...env });
  const { connection } = panel.services;
  return createServices(config, connection, 'a key', pino({ level: 'silent' })).outbound.permits;
}

beforeAll(async () => {
  panel = await startTestPanel();
  canary = createServer((socket) => {
    hits += 1;
    socket.on('error', () => {});
    const location = `http://127.0.0.1:${port}/moved`;
    const head = `HTTP/1.1 302 X\r\nlocation: ${location}\r\nconnection: close\r\n`;
    socket.once('data', () => socket.end(`${head}content-length: 0\r\n\r\n`));
  });
  canary.listen(0, '127.0.0.1');
  await once(canary, 'listening');
  port = (canary.address() as AddressInfo).port;
});
afterAll(async () => {
  canary?.close();
  await panel?.stop();
});
beforeEach(() => {
  hits = 0;
});

const testUnsaved = async (host_ip: string) =>
  (await panel.admin.post('/api/servers/test', { host_ip, port: 12000, api_port: port, ...login }))
    .body;

test('the canary sings: a panel of its own machine reaches it, and follows it nowhere', async () => {
  const { message } = await testUnsaved('127.0.0.1');
  expect(message).toBe('Health check failed with status: 302');
  expect(hits).toBe(1);
});

const REFUSED = 'host not found or not allowed';

/** Names with the addresses they resolve to. */
const names: Record<string, string[]> = {
  'loopback.example': ['127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'several.example': ['10.0.0.1', '127.0.0.1', '::1', '169.254.169.254'],
  'nothing.example': [],
  'metadata.google.internal': ['169.254.169.254'],
  localhost: ['127.0.0.1', '::1'],
};

const addresses = `127.0.0.1 127.8.8.8 0.0.0.0 ::1 [::1] :: ::ffff:127.0.0.1 ::127.0.0.1
  64:ff9b::7f00:1 2002:7f00:1:: fe80::1 fd00:ec2::254 fd12:3456::1 ff02::1 169.254.169.254
  169.254.170.2 100.100.100.200 168.63.129.16 10.0.0.1 172.16.0.1 192.168.1.1 100.64.0.1 224.0.0.1
  240.0.0.1 255.255.255.255 192.0.2.1 198.18.0.1`.split(/\s+/);

const malformed = `2130706433 0x7f000001 0x7f.1 127.1 0177.0.0.1 017700000001 127.0.0.01 127.0.0.1.
  127.0.0.1:80 127.0.0.1#a 127.0.0.1/ user@127.0.0.1 http://127.0.0.1 //127.0.0.1 127.0.0.1%00
  %31%32%37.0.0.1 １２７.0.0.1 127。0。0。1 ①②⑦.0.0.1 [::1]:80 fe80::1%25eth0 a..example -a.example
  a_b.example localhost%2eexample`.split(/\s+/);

describe('a panel that others can reach', () => {
  beforeAll(() => {
    const { outbound } = panel.services;
    outbound.permits = permitsOf({ HOST: '0.0.0.0' });
    outbound.resolve = async (name) => names[name] ?? [];
  });

  test('calls no address inside, however it is written, and always says the same', async () => {
    for (const host of [...addresses, ...Object.keys(names), ...malformed]) {
      const { status, health, auth, message } = await testUnsaved(host);
      expect([host, status, health, auth, message]).toEqual([
        host,
        'error',
        false,
        false,
        `Failed to connect to server: ${REFUSED}`,
      ]);
    }
    expect(hits).toBe(0);
  });

  test('stores no host that is none', async () => {
    for (const host_ip of malformed) {
      const server = { server_name: 'X', host_ip, port: 1, api_port: port, ...login };
      const { status, body } = await panel.admin.post('/api/servers', server);
      expect([host_ip, status, body.fields]).toEqual([
        host_ip,
        422,
        { host_ip: 'Enter a host name or an IP address' },
      ]);
    }
    const { body } = await panel.admin.get('/api/servers');
    expect(body.items).toEqual([]);
  });

  test('neither tests, checks nor sells its way there with a stored server', async () => {
    const hosts = ['127.0.0.1', '0.0.0.0', '::1', '169.254.169.254', 'loopback.example'];
    const ids: string[] = [];
    for (const host_ip of hosts) {
      const server = { server_name: host_ip, host_ip, port: 1, api_port: port, ...login };
      const { body } = await panel.admin.post('/api/servers', server);
      ids.push(body.server.id);
      const tested = await panel.admin.post(`/api/servers/${body.server.id}/test`);
      expect(tested.body.message).toBe(`Failed to connect to server: ${REFUSED}`);
    }
    const { body: checked } = await panel.admin.post('/api/servers/check');
    expect(checked.items.map(({ message }: { message: string }) => message)).toEqual(
      hosts.map(() => `Failed to connect to server: ${REFUSED}`),
    );
    await panel.services.db.updateTable('cccam_servers').set({ status: 'active' }).execute();
    const { client } = await panel.reseller();
    for (const [index, server_id] of ids.entries()) {
      const sale = {
        username: `inside-${index}`,
        password: 'pw',
        subscription_months: 1,
        server_id,
      };
      const sold = await client.post('/api/lines', sale);
      expect(sold.body.sync).toEqual({
        ok: false,
        message: `User was added to database but could not be added to CCcam server: ${REFUSED}`,
      });
      const { body } = await client.post(`/api/lines/${sold.body.line.id}/sync`);
      expect(body.sync.ok).toBe(false);
    }
    expect(hits).toBe(0);
  });

  test('a server that is moved inside later is not called there either', async () => {
    const server = { server_name: 'Moves', host_ip: 'nothing.example', port: 1, ...login };
    const { body } = await panel.admin.post('/api/servers', server);
    const path = `/api/servers/${body.server.id}`;
    const moved = await panel.admin.patch(path, { host_ip: '127.0.0.1', api_port: port });
    expect(moved.status).toBe(200);
    expect((await panel.admin.post(`${path}/test`)).body.status).toBe('error');
    expect((await panel.admin.patch(path, { host_ip: '0x7f.1' })).status).toBe(422);
    expect(hits).toBe(0);
  });
});

describe('SERVER_NETWORK_ALLOW', () => {
  test('opens the networks it names and nothing beside them', () => {
    const permits = permitsOf({ HOST: '0.0.0.0', SERVER_NETWORK_ALLOW: '10.1.0.0/16, fd12::/16' });
    const isOpen = (list: string[]) => list.map(permits);
    expect(isOpen(['10.1.2.3', 'fd12::5', '93.184.216.34'])).toEqual([true, true, true]);
    expect(isOpen(['10.2.0.1', '127.0.0.1', '192.168.1.1', 'fd13::1'])).not.toContain(true);
  });

  test('never opens what hands out credentials', () => {
    const permits = permitsOf({ SERVER_NETWORK_ALLOW: '0.0.0.0/0 ::/0' });
    const never = [
      '169.254.169.254',
      '100.100.100.200',
      '168.63.129.16',
      'fd00:ec2::254',
      'fe80::1',
    ];
    expect(never.map(permits)).not.toContain(true);
    expect(permits('10.0.0.1')).toBe(true);
  });

  test('loopback is open by itself only while nobody else reaches the panel', () => {
    const hosts = ['127.0.0.1', 'localhost', '::1', '0.0.0.0', '::', '192.0.2.1', 'panel.example'];
    expect(hosts.map((HOST) => permitsOf({ HOST })('127.0.0.1'))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
