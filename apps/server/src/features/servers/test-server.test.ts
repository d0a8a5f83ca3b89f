import { beforeAll, describe, expect, test } from 'vitest';
import {
  closedPort,
  startApi,
  startTcp,
} from '../../domain/machines/card-server/testing/servers.ts';
import { AGENT, startTestAgent, startTestPanel, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
let agentPort: number;
beforeAll(async () => {
  const agent = await startTestAgent();
  agentPort = Number(new URL(agent.url).port);
  panel = await startTestPanel();
});

const at = (api_port: number, more: object = {}) => ({
  server_name: `at ${api_port}`,
  host_ip: '127.0.0.1',
  port: 12000,
  api_port,
  ...AGENT,
  ...more,
});

async function add(server: object): Promise<string> {
  return (await panel.admin.post('/api/servers', server)).body.server.id;
}
const stored = async (id: string) => (await panel.admin.get(`/api/servers/${id}`)).body;

/** Starts a card server with these statuses for /health and for /. */
const api = (health: number, root: number) =>
  startApi(({ url }) => ({ status: url === '/health' ? health : root, json: { version: '2.3' } }));

describe('a stored server', () => {
  test('that answers becomes active, with the time of the connection', {
    tags: ['spec:3.22', 'spec:4.3'],
  }, async () => {
    const id = await add(at(agentPort));
    const before = Date.now();
    const { body } = await panel.admin.post(`/api/servers/${id}/test`);
    expect(body).toEqual({
      status: 'active',
      health: true,
      auth: true,
      version: expect.stringMatching(/^\d+\.\d+/),
      latency_ms: expect.any(Number),
      message: null,
      finding: null,
      tls_fingerprint: null,
      oscam: null,
    });
    const server = await stored(id);
    expect(server).toMatchObject({
      status: 'active',
      status_message: null,
      latency_ms: body.latency_ms,
    });
    const connected = Date.parse(server.last_connection);
    expect(connected).toBeGreaterThanOrEqual(before);
    expect(connected).toBeLessThanOrEqual(Date.now());
  });

  test('that stops answering is in error; the time of the last connection stays', {
    tags: ['spec:3.22', 'spec:4.4'],
  }, async () => {
    const mortal = await startTestAgent();
    const id = await add(at(Number(new URL(mortal.url).port)));
    await panel.admin.post(`/api/servers/${id}/test`);
    const { last_connection } = await stored(id);
    await mortal.close();

    const { body } = await panel.admin.post(`/api/servers/${id}/test`);
    const message = 'Failed to connect to server: connection refused';
    expect(body).toMatchObject({ status: 'error', health: false, auth: false, message });
    expect(await stored(id)).toMatchObject({
      status: 'error',
      status_message: message,
      last_connection,
    });
  });

  test.each([
    [503, 200, { health: false, auth: false, message: 'Health check failed with status: 503' }],
    [200, 401, { health: true, auth: false, message: 'Authentication failed with status: 401' }],
    [200, 500, { health: true, auth: false, message: 'Authentication failed with status: 500' }],
    [302, 200, { health: false, auth: false, message: 'Health check failed with status: 302' }],
  ])(
    'whose /health gives %i and whose / gives %i is in error',
    { tags: ['spec:4.4', 'spec:8.14'] },
    async (health, root, result) => {
      const { port } = await api(health, root);
      const id = await add(at(port));
      const { body } = await panel.admin.post(`/api/servers/${id}/test`);
      expect(body).toMatchObject({ status: 'error', ...result });
      expect(await stored(id)).toMatchObject({
        status: 'error',
        status_message: result.message,
        last_connection: null,
      });
    },
  );

  test('is asked with its own name and password, but for its health', {
    tags: ['spec:7.36', 'spec:7.38'],
  }, async () => {
    const { port, calls } = await api(200, 200);
    const id = await add(at(port));
    // The server was also tested when it was added.
    calls.length = 0;
    const { body } = await panel.admin.post(`/api/servers/${id}/test`);
    expect(body).toMatchObject({ status: 'active', version: '2.3' });
    const basic = `Basic ${Buffer.from(`${AGENT.username}:${AGENT.password}`).toString('base64')}`;
    expect(calls.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/health', undefined],
      ['/', basic],
    ]);
  });

  test('with a wrong password is in error', { tags: ['spec:8.15'] }, async () => {
    const id = await add(at(agentPort, { password: 'wrong' }));
    const { body } = await panel.admin.post(`/api/servers/${id}/test`);
    expect(body).toMatchObject({
      status: 'error',
      message: 'Authentication failed with status: 401',
      finding: { code: 'AUTHENTICATION_FAILED', data: { status: 401 } },
    });
  });
});

describe('a configuration that is not saved', () => {
  // Servers in use are checked every minute, which would change their rows during the test, so
  // these are inactive.
  beforeAll(async () => {
    await panel.services.db.updateTable('cccam_servers').set({ status: 'inactive' }).execute();
  });

  async function nothingStored<T>(work: () => Promise<T>): Promise<T> {
    const read = () =>
      panel.services.db.selectFrom('cccam_servers').selectAll().orderBy('id').execute();
    const before = await read();
    const result = await work();
    expect(await read()).toEqual(before);
    return result;
  }
  const tryOut = (configuration: object) =>
    nothingStored(async () => (await panel.admin.post('/api/servers/test', configuration)).body);

  test('is tested without leaving a trace', async () => {
    expect(await tryOut(at(agentPort))).toMatchObject({
      status: 'active',
      auth: true,
      message: null,
    });
    expect(await tryOut(at(await closedPort()))).toMatchObject({
      status: 'error',
      message: 'Failed to connect to server: connection refused',
    });
  });

  test.each([
    [{}, 'host_ip, port, username, password'],
    [{ host_ip: '127.0.0.1', port: 12000 }, 'username, password'],
    [{ port: 12000, username: 'u', password: 'p' }, 'host_ip'],
  ])('%j is incomplete: %s', { tags: ['spec:8.17'] }, async (configuration, missing) => {
    expect(await tryOut(configuration)).toEqual({
      status: 'error',
      health: false,
      auth: false,
      version: null,
      latency_ms: null,
      message: `Server configuration is incomplete. Missing fields: ${missing}`,
      finding: { code: 'CONFIGURATION_INCOMPLETE', data: { fields: missing.split(', ') } },
      tls_fingerprint: null,
      oscam: null,
    });
  });

  test('is refused with an invalid port', async () => {
    expect(
      await panel.admin.post('/api/servers/test', at(agentPort, { port: 70_000 })),
    ).toMatchObject({
      status: 422,
      body: { message: 'CCcam port must be between 1 and 65535' },
    });
  });

  test.each([
    '169.254.169.254',
    '100.100.100.200',
    '10.0.0.1',
    '192.168.1.1',
    '0.0.0.0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[fd00:ec2::254]',
    'localhost.localdomain.invalid',
    '127.1',
    'user@127.0.0.1',
    '127.0.0.1/health',
  ])('at %s is not asked at all, and why is not told', async (host_ip) => {
    const body = await tryOut(at(agentPort, { host_ip }));
    expect(body).toMatchObject({
      status: 'error',
      health: false,
      latency_ms: null,
      message: 'Failed to connect to server: host not found or not allowed',
    });
  });
});

describe('all servers', () => {
  test('are tested at once, eight at a time, newest first', async () => {
    const deadPort = await closedPort();
    const others = await panel.admin.get('/api/servers?limit=100');
    let open = 0;
    let most = 0;
    const slow = await startApi(async () => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, 30));
      open -= 1;
      return { status: 200, json: { version: '9' } };
    });
    const ids: string[] = [];
    for (let number = 1; number <= 12; number++) ids.unshift(await add(at(slow.port)));
    const dead = await add(at(deadPort));

    const { status, body } = await panel.admin.post('/api/servers/check');
    expect(status).toBe(200);
    expect(body.items).toHaveLength(others.body.total + 13);
    expect(body.items.slice(0, 13).map(({ id }: { id: string }) => id)).toEqual([dead, ...ids]);
    expect(body.items[0]).toMatchObject({
      id: dead,
      server_name: expect.any(String),
      status: 'error',
      message: 'Failed to connect to server: connection refused',
    });
    for (const item of body.items.slice(1, 13)) {
      expect(item).toMatchObject({ status: 'active', version: '9', message: null });
    }
    expect(most).toBeLessThanOrEqual(8);
    expect((await stored(dead)).status).toBe('error');
    expect((await stored(ids[0]!)).status).toBe('active');
  });
});

test('a panel that other machines can reach does not talk to itself', async () => {
  const open = await startTestPanel('postgres', { HOST: '0.0.0.0' });
  const canary = await startTcp(() => {});
  const { body } = await open.admin.post('/api/servers/test', at(canary.port));
  expect(body.message).toBe('Failed to connect to server: host not found or not allowed');
  expect(canary.connections()).toBe(0);
  await open.stop();
});
