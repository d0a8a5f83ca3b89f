import tls from 'node:tls';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TEST_CERTIFICATE } from '../../domain/machines/card-server/testing/certificate.ts';
import {
  NEEDS_LISTING,
  NEVER_PERMITTED,
} from '../../domain/machines/card-server/testing/hostile-addresses.ts';
import {
  AWKWARD_NAMES,
  MALFORMED_HOSTS,
} from '../../domain/machines/card-server/testing/hostile-hosts.ts';
import {
  httpText,
  outbound,
  startCanned,
  startTcp,
  startTls,
  stopServers,
} from '../../domain/machines/card-server/testing/servers.ts';
import { addressPolicy } from './address.ts';
import { type JsonRequest, portAnswers, requestJson } from './request.ts';

const closed = addressPolicy({ allow: [], loopbackAllowed: false });
const only = (address: string) => addressPolicy({ allow: [address], loopbackAllowed: false });
const notAllowed = { kind: 'unreachable', reason: 'host not found or not allowed' };
const OK = httpText(200, '{"message":"ok"}');

// macOS has 127.0.0.1 only, so there is no second loopback address to redirect to.
const testWithTwoAddresses = test.skipIf(process.platform === 'darwin');

const get = (port: number, host = '127.0.0.1'): JsonRequest => ({
  scheme: 'http',
  host,
  port,
  method: 'GET',
  path: '/',
});

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await stopServers();
});

describe('what is sent', () => {
  test('a body, Basic auth in UTF-8 and the name as host', async () => {
    let seen = '';
    const { port } = await startTcp((socket) => {
      socket.on('data', (chunk) => {
        seen += chunk;
        if (seen.includes('"b"')) socket.end(OK);
      });
    });
    const resolve = async () => ['127.0.0.1'];
    const request = { ...get(port, 'Cards.Test'), method: 'DELETE', path: '/delete-user' } as const;
    const credentials = { username: 'jürgen', password: 'a:ß' };
    const reply = await requestJson(
      { ...outbound, resolve },
      { ...request, credentials, body: { b: 'b' } },
    );
    expect(reply).toEqual({
      kind: 'reply',
      text: expect.any(String),
      status: 200,
      json: { message: 'ok' },
      sent_at: expect.any(Date),
    });
    const [head = '', body] = seen.split('\r\n\r\n');
    expect(head.toLowerCase().split('\r\n').sort()).toEqual(
      [
        'delete /delete-user http/1.1',
        'accept: application/json',
        'accept-encoding: identity',
        'connection: close',
        'content-length: 9',
        'content-type: application/json',
        `host: cards.test:${port}`,
        `authorization: basic ${Buffer.from('jürgen:a:ß').toString('base64').toLowerCase()}`,
      ].sort(),
    );
    expect(body).toBe('{"b":"b"}');
  });
});

describe('where it goes', () => {
  test('no hostile host reaches the listener, and all are refused alike', async () => {
    const canary = await startCanned(OK);
    const resolve = vi.fn(async () => ['127.0.0.1']);
    const hosts = [...MALFORMED_HOSTS, ...NEVER_PERMITTED, ...NEEDS_LISTING, ...AWKWARD_NAMES];
    for (const scheme of ['http', 'https'] as const) {
      for (const host of hosts) {
        const request = { ...get(canary.port, host), scheme };
        expect(await requestJson({ permits: closed, resolve }, request), host).toEqual(notAllowed);
      }
    }
    expect(canary.connections()).toBe(0);
    expect(resolve).toHaveBeenCalledTimes(AWKWARD_NAMES.length * 2);
    const unknown = async () => Promise.reject(new Error('getaddrinfo ENOTFOUND 10.0.0.53'));
    const missing = await requestJson({ permits: closed, resolve: unknown }, get(1, 'x.example'));
    expect(missing).toEqual(notAllowed);
  });

  test('the same listener answers once loopback is allowed', async () => {
    const canary = await startCanned(OK);
    expect(await requestJson(outbound, get(canary.port))).toMatchObject({ status: 200 });
    expect(canary.connections()).toBe(1);
  });

  test('a port is tried where a request may go, and nowhere else', async () => {
    const canary = await startCanned(OK);
    const { port } = canary;
    const resolve = async () => ['127.0.0.1'];
    for (const host of [...MALFORMED_HOSTS, ...NEVER_PERMITTED, ...NEEDS_LISTING]) {
      expect(await portAnswers({ permits: closed, resolve }, { host, port }), host).toBeNull();
    }
    expect(canary.connections()).toBe(0);
    expect(await portAnswers(outbound, { host: '127.0.0.1', port })).toBe(true);
    await stopServers();
    expect(await portAnswers(outbound, { host: '127.0.0.1', port })).toBe(false);
  });

  testWithTwoAddresses(
    'a name that changes its answer is dialled where it was vetted',
    async () => {
      const vetted = await startCanned(OK);
      const canary = await startCanned(OK, '127.0.0.2', vetted.port);
      const resolve = vi.fn(async () => ['127.0.0.2']).mockResolvedValueOnce(['127.0.0.1']);
      const rebound = { ...outbound, permits: only('127.0.0.1'), resolve };
      const request = get(vetted.port, 'rebind.example');
      expect(await requestJson(rebound, request)).toMatchObject({ status: 200 });
      expect(resolve).toHaveBeenCalledTimes(1);
      for (let round = 0; round < 5; round += 1) {
        expect(await requestJson(rebound, request)).toEqual(notAllowed);
      }
      expect([vetted.connections(), canary.connections()]).toEqual([1, 0]);
    },
  );

  testWithTwoAddresses('of several answers only the permitted ones are dialled', async () => {
    const vetted = await startCanned(OK);
    const canary = await startCanned(OK, '127.0.0.2', vetted.port);
    const resolve = async () => ['127.0.0.2', '::1', 'localhost', '127.0.0.1', '169.254.169.254'];
    const mixed = { ...outbound, permits: only('127.0.0.1'), resolve };
    expect(await requestJson(mixed, get(vetted.port, 'mixed.example'))).toMatchObject({
      status: 200,
    });
    expect([vetted.connections(), canary.connections()]).toEqual([1, 0]);
  });

  testWithTwoAddresses('the next permitted address is tried when one refuses', async () => {
    const { port } = await startCanned(OK);
    const resolve = async () => ['127.0.0.3', '127.0.0.1'];
    const reply = await requestJson({ ...outbound, resolve }, get(port, 'two.example'));
    expect(reply).toMatchObject({ status: 200 });
  });

  testWithTwoAddresses('at most four addresses are tried', async () => {
    const { port, connections } = await startCanned(OK, '127.0.0.9');
    const resolve = async () => [3, 4, 5, 6, 9].map((last) => `127.0.0.${last}`);
    const reply = await requestJson({ ...outbound, resolve }, get(port, 'many.example'));
    expect(reply).toEqual({ kind: 'unreachable', reason: 'connection refused' });
    expect(connections()).toBe(0);
  });

  test.each([301, 302, 303, 307, 308])('a %i is returned, not followed', async (status) => {
    const canary = await startCanned(OK);
    const location = `location: http://127.0.0.1:${canary.port}/`;
    const { port } = await startCanned(httpText(status, '', [location]));
    const reply = await requestJson(outbound, get(port));
    expect(reply).toEqual({
      kind: 'reply',
      text: expect.any(String),
      status,
      json: null,
      sent_at: expect.any(Date),
    });
    expect(canary.connections()).toBe(0);
  });

  test('the machine’s own resolver is the default', async () => {
    const { port } = await startCanned(OK);
    expect(await requestJson(outbound, get(port, 'localhost'))).toMatchObject({ status: 200 });
  });
});

describe('TLS', () => {
  const https = (port: number, host: string): JsonRequest => ({
    ...get(port, host),
    scheme: 'https',
  });
  const named = { ...outbound, resolve: async () => ['127.0.0.1'] };
  const distrusted = { kind: 'unreachable', reason: 'certificate not trusted' };

  test('a self-signed certificate is not trusted', async () => {
    const { port } = await startTls(OK);
    expect(await requestJson(named, https(port, 'cards.test'))).toEqual(distrusted);
    expect(await requestJson(named, https(port, '127.0.0.1'))).toEqual(distrusted);
  });

  test('plain HTTP on the other side', async () => {
    const { port } = await startCanned(OK);
    const reply = await requestJson(outbound, https(port, '127.0.0.1'));
    expect(reply).toEqual({ kind: 'unreachable', reason: 'secure connection failed' });
  });

  test('a connection cut in the handshake', async () => {
    const { port } = await startTcp((socket) => socket.once('data', () => socket.end()));
    const reply = await requestJson(outbound, https(port, '127.0.0.1'));
    expect(reply).toEqual({ kind: 'unreachable', reason: 'connection closed early' });
  });

  test('a handshake that never ends', async () => {
    const { port } = await startTcp(() => {});
    const reply = await requestJson({ ...named, deadlineMs: 200 }, https(port, 'cards.test'));
    expect(reply).toEqual({ kind: 'unreachable', reason: 'connection timed out' });
  });

  describe('with a trusted certificate', () => {
    const trusted = tls.getCACertificates('default');
    beforeEach(() => tls.setDefaultCACertificates([...trusted, TEST_CERTIFICATE]));
    afterEach(() => tls.setDefaultCACertificates(trusted));

    test('the name is asked for and checked; an address sends none', async () => {
      const names: (string | false)[] = [];
      const { port } = await startTls(OK, names);
      expect(await requestJson(named, https(port, 'cards.test'))).toMatchObject({ status: 200 });
      expect(await requestJson(named, https(port, '127.0.0.1'))).toMatchObject({ status: 200 });
      expect(await requestJson(named, https(port, 'other.test'))).toEqual(distrusted);
      expect(names.slice(0, 2)).toEqual(['cards.test', false]);
    });

    test('the environment cannot switch the check off', async () => {
      vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
      const { port } = await startTls(OK);
      expect(await requestJson(named, https(port, 'other.test'))).toEqual(distrusted);
    });
  });
});
