// @module-tag thorough
import { networkInterfaces } from 'node:os';
import { newServer } from '@linekeeper/contract/servers/servers.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  NEEDS_LISTING,
  NEVER_PERMITTED,
} from '../domain/machines/card-server/testing/hostile-addresses.ts';
import {
  AWKWARD_NAMES,
  MALFORMED_HOSTS,
} from '../domain/machines/card-server/testing/hostile-hosts.ts';
import {
  httpText,
  startApi,
  startCanned,
  stopServers,
  type TestServer,
} from '../domain/machines/card-server/testing/servers.ts';
import { addressPolicy, parseHost } from '../platform/http-client/address.ts';
import { eventually } from '../testing/eventually.ts';
import { startTestPanel, type TestPanel } from '../testing/panel.ts';

const AT_A_TIME = 8;
const UNREACHED = 'Failed to connect to server: host not found or not allowed';
const login = { username: 'panel', password: 'a password' };

let panel: TestPanel;
let canaries: TestServer[];
let port: number;
const hits = () => canaries.reduce((sum, canary) => sum + canary.connections(), 0);

beforeAll(async () => {
  panel = await startTestPanel('postgres', { HOST: '0.0.0.0' });
  const first = await startCanned(httpText(200, '{"version":"canary"}'));
  ({ port } = first);
  // If the machine has IPv6, a second server listens on its loopback address.
  const second = await startCanned(httpText(200, '{}'), '::1', port).catch(() => null);
  canaries = second ? [first, second] : [first];
});
afterAll(async () => {
  await panel?.stop();
  await stopServers();
});

/** This machine's addresses in its networks. */
const ownAddresses = Object.values(networkInterfaces()).flatMap((entries = []) =>
  entries.flatMap(({ address, scopeid }) => (scopeid ? [] : [address])),
);
const closed = addressPolicy({ allow: [], loopbackAllowed: false });
const inside = [
  ...new Set([
    ...NEVER_PERMITTED,
    ...NEEDS_LISTING,
    ...ownAddresses.filter((address) => !closed(address)),
  ]),
];
/** Forms and scripts send such texts: surrounding white space is removed. */
const malformed = MALFORMED_HOSTS.filter((host) => !parseHost(host.trim()));

async function forEach<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = all.values();
  const worker = async () => {
    for (const one of waiting) await work(one);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
}

const configurationAt = (host_ip: string, more: object = {}) => ({
  host_ip,
  port: 12000,
  api_port: port,
  ...login,
  ...more,
});

describe('the hosts of the hostile tables, through the API', () => {
  beforeAll(() => {
    // All names resolve to the canary and other internal addresses, in case one is looked up.
    panel.services.outbound.resolve = async () => ['127.0.0.1', '::1', '169.254.169.254'];
  });

  test('are many', () => {
    expect(malformed.length).toBeGreaterThanOrEqual(150);
    expect(inside.length).toBeGreaterThanOrEqual(120);
  });

  test('are neither stored nor called where they are none', async () => {
    const server = { server_name: 'Moves', ...configurationAt('cards.example') };
    const { id } = (await panel.admin.post('/api/servers', server)).body.server;
    await forEach([...malformed.entries()], async ([index, host]) => {
      const isEven = index % 2 === 0;
      const stored = isEven
        ? await panel.admin.post('/api/servers', { ...server, host_ip: host })
        : await panel.admin.patch(`/api/servers/${id}`, { host_ip: host });
      expect([host, stored.status, Object.keys(stored.body.fields)]).toEqual([
        host,
        422,
        ['host_ip'],
      ]);
      const configuration = configurationAt(host);
      const { status, body } = isEven
        ? await panel.admin.post('/api/servers/test-call', { configuration, call: 'auth' })
        : await panel.admin.post('/api/servers/test', configuration);
      // The schema refuses some texts before they are parsed as a host: too long, empty or with
      // lone surrogates.
      const isLookedAt = newServer.shape.host_ip.safeParse(host).success;
      expect([host, status]).toEqual([host, isLookedAt ? 200 : 422]);
      if (isLookedAt) expect([host, body.message]).toEqual([host, UNREACHED]);
    });
    expect((await panel.admin.get('/api/servers')).body.total).toBe(1);
    expect((await panel.admin.get(`/api/servers/${id}`)).body.host_ip).toBe('cards.example');
    await panel.admin.delete(`/api/servers/${id}`);
    expect(hits()).toBe(0);
  });

  test('are called by no test, check, call or sale where they lie inside', async () => {
    await forEach([...inside, ...AWKWARD_NAMES].entries().toArray(), async ([index, host]) => {
      const api_scheme = index % 2 === 0 ? 'http' : 'https';
      const configuration = configurationAt(host, { api_scheme });
      const { body } = await panel.admin.post('/api/servers/test-call', {
        configuration,
        call: 'add',
        arguments: { username: 'u', password: 'p', expiry_date: '31-12-2030' },
      });
      expect([host, body.message, body.reply]).toEqual([host, UNREACHED, null]);
      const server = { server_name: host, ...configurationAt(host) };
      const added = await panel.admin.post('/api/servers', server);
      expect([host, added.status]).toEqual([host, 201]);
    });
    const { body } = await panel.admin.post('/api/servers/check');
    expect(body.items).toHaveLength(inside.length + AWKWARD_NAMES.length);
    expect(new Set(body.items.map(({ message }: { message: string }) => message))).toEqual(
      new Set([UNREACHED]),
    );
    expect(hits()).toBe(0);
  });
});

// macOS has 127.0.0.1 only, so there is no second loopback address to redirect to.
describe.skipIf(process.platform === 'darwin')('a name that changes where it leads', () => {
  test('is dialled where it was vetted, in tests, calls and pushes', async () => {
    const good = await startApi(() => ({ status: 200, json: { version: '1', message: 'ok' } }));
    const lure = await startCanned(httpText(200, '{"version":"lure"}'), '127.0.0.2', good.port);
    const { outbound } = panel.services;
    outbound.permits = addressPolicy({ allow: ['127.0.0.1'], loopbackAllowed: false });
    let answers: string[][] = [];
    outbound.resolve = async () => answers.shift() ?? ['127.0.0.2'];
    const configuration = configurationAt('rebind.example', { api_port: good.port });
    const server = { server_name: 'Rebinds', ...configuration };
    const { id } = (await panel.admin.post('/api/servers', server)).body.server;
    const path = `/api/servers/${id}/test`;

    answers = [['127.0.0.1'], ['127.0.0.1']];
    expect((await panel.admin.post(path)).body.status).toBe('active');
    // The address changes between the two calls of one test, and between the test and later calls.
    answers = [['127.0.0.1'], ['127.0.0.2']];
    expect((await panel.admin.post(path)).body).toMatchObject({ health: true, message: UNREACHED });
    answers = [
      ['127.0.0.2', '127.0.0.1'],
      ['127.0.0.1', '127.0.0.2'],
    ];
    expect((await panel.admin.post(path)).body.status).toBe('active');
    answers = [['127.0.0.2']];
    const called = await panel.admin.post('/api/servers/test-call', {
      server_id: id,
      call: 'auth',
    });
    expect(called.body.message).toBe(UNREACHED);
    answers = [];
    const sale = { username: 'rebound', password: 'pw', subscription_months: 1, server_id: id };
    expect((await panel.admin.post('/api/lines', sale)).body.sync.ok).toBe(false);

    outbound.resolve = async () => ['127.0.0.2', '127.0.0.1'];
    const { body } = await panel.admin.get('/api/lines?q=rebound');
    await eventually(async () => {
      const synced = await panel.admin.post(`/api/lines/${body.items[0].id}/sync`);
      expect(synced.body.sync.ok).toBe(true);
    });
    expect(good.calls.map(({ url }) => url)).toContain('/add-user');
    expect(lure.connections()).toBe(0);
    expect(good.connections()).toBe(good.calls.length);
  });

  test('a redirect of any call is shown and not followed', async () => {
    const lure = await startCanned(httpText(200, '{"version":"lure"}'), '127.0.0.2');
    const { outbound } = panel.services;
    outbound.permits = addressPolicy({ allow: ['127.0.0.0/8'], loopbackAllowed: false });
    outbound.resolve = async () => ['127.0.0.1'];
    for (const status of [301, 302, 303, 307, 308]) {
      for (const location of [`http://127.0.0.2:${lure.port}/`, `//127.0.0.2:${lure.port}/`]) {
        const text = httpText(status, '', [`location: ${location}`, `refresh: 0;url=${location}`]);
        const moved = await startCanned(text);
        const configuration = configurationAt('127.0.0.1', { api_port: moved.port });
        for (const call of ['health', 'auth', 'add', 'edit', 'delete']) {
          const { body } = await panel.admin.post('/api/servers/test-call', {
            configuration,
            call,
            arguments: { username: 'u', password: 'p', expiry_date: '31-12-2030' },
          });
          expect([call, body.ok, body.reply]).toEqual([
            call,
            false,
            { status, message: null, version: null },
          ]);
        }
        expect(moved.connections()).toBe(5);
      }
    }
    expect(lure.connections()).toBe(0);
  });
});
