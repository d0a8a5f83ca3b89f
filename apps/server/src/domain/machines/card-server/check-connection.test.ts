import { testServerConfiguration } from '@linekeeper/contract/servers/servers.ts';
import { afterEach, describe, expect, test } from 'vitest';
import type { Outbound } from '../../../platform/http-client/request.ts';
import { type ServerConfiguration, testConfiguration } from '../open-driver.ts';
import {
  cardServerAt,
  closedPort,
  outbound,
  startApi,
  startTcp,
  stopServers,
} from './testing/servers.ts';

type Answer = { status: number; json?: object; text?: string };

/** The part of a test's result that the API returns. */
const tested = async (to: Outbound, configuration: ServerConfiguration) =>
  testServerConfiguration.output.parse(await testConfiguration(to, configuration));

async function check(health: Answer, root: Answer) {
  const { cardServer, calls } = await startApi(({ url }) => (url === '/health' ? health : root));
  const report = await tested(outbound, { ...cardServer, port: 12_000 });
  return { report, calls };
}

const configurationAt = (port: number) => ({ ...cardServerAt(port), port: 12_000 });
const healthy = { status: 200, json: { status: 'ok' } };
const unseen = {
  status: 'error',
  health: false,
  auth: false,
  version: null,
  latency_ms: null,
  tls_fingerprint: null,
  oscam: null,
};

afterEach(stopServers);

describe('testConfiguration', () => {
  test('asks for health without and for the root with credentials', async () => {
    const { report, calls } = await check(healthy, { status: 200, json: { version: '2.3.9' } });
    expect(report).toEqual({
      status: 'active',
      health: true,
      auth: true,
      version: '2.3.9',
      latency_ms: expect.any(Number),
      finding: null,
      message: null,
      tls_fingerprint: null,
      oscam: null,
    });
    expect(Number.isInteger(report.latency_ms)).toBe(true);
    expect(calls.map(({ url, headers }) => [url, 'authorization' in headers])).toEqual([
      ['/health', false],
      ['/', true],
    ]);
  });

  test.each([
    [undefined, null],
    [2.3, null],
    ['', null],
    ['\u0000 \n', null],
    [' 2.3\u202e\n<b> ', '2.3 <b>'],
    ['v'.repeat(101), 'v'.repeat(100)],
  ])('version %j', async (version, shown) => {
    const { report } = await check({ status: 204 }, { status: 200, json: { version } });
    expect(report).toMatchObject({ status: 'active', version: shown });
  });

  test.each([503, 404, 302, 401])('health answers %i', { tags: ['spec:8.14'] }, async (status) => {
    const { report, calls } = await check({ status, json: { message: 'x' } }, healthy);
    const message = `Health check failed with status: ${status}`;
    const finding = { code: 'HEALTH_CHECK_FAILED', data: { status } };
    expect(report).toEqual({ ...unseen, latency_ms: expect.any(Number), message, finding });
    expect(calls).toHaveLength(1);
  });

  test.each([401, 403, 500, 302])(
    'the root answers %i',
    { tags: ['spec:8.15'] },
    async (status) => {
      const { report } = await check(healthy, { status, text: '<html>' });
      const message = `Authentication failed with status: ${status}`;
      const finding = { code: 'AUTHENTICATION_FAILED', data: { status } };
      const latency_ms = expect.any(Number);
      expect(report).toEqual({ ...unseen, health: true, latency_ms, message, finding });
    },
  );

  test('a web page where the root should be', async () => {
    const { report } = await check(healthy, { status: 200, text: '<html>' });
    const message = 'Failed to connect to server: invalid response';
    expect(report).toMatchObject({ status: 'error', health: true, auth: false, message });
  });

  test('nothing listening', { tags: ['spec:8.16'] }, async () => {
    const message = 'Failed to connect to server: connection refused';
    const report = await tested(outbound, configurationAt(await closedPort()));
    const finding = { code: 'NOT_REACHED', data: { reason: 'connection refused' } };
    expect(report).toEqual({ ...unseen, message, finding });
  });

  test('a forbidden host', async () => {
    const message = 'Failed to connect to server: host not found or not allowed';
    const configuration = { ...configurationAt(80), host_ip: '10.0.0.1' };
    const finding = { code: 'NOT_REACHED', data: { reason: 'host not found or not allowed' } };
    expect(await tested(outbound, configuration)).toEqual({
      ...unseen,
      message,
      finding,
    });
  });

  test('a server that is slow twice, within one deadline', async () => {
    const fine = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';
    const { port } = await startTcp((socket) => {
      socket.once('data', () => setTimeout(() => socket.end(fine), 2000));
    });
    // Each call alone would finish before the deadline.
    const report = await tested({ ...outbound, deadlineMs: 3000 }, configurationAt(port));
    expect(report).toMatchObject({
      health: true,
      auth: false,
      message: 'Failed to connect to server: connection timed out',
    });
  });

  test('missing fields, in order', { tags: ['spec:5.17', 'spec:8.17'] }, async () => {
    const prefix = 'Server configuration is incomplete. Missing fields: ';
    const whole = configurationAt(1);
    expect(await tested(outbound, {})).toEqual({
      ...unseen,
      message: `${prefix}host_ip, port, api_port, username, password`,
      finding: {
        code: 'CONFIGURATION_INCOMPLETE',
        data: { fields: ['host_ip', 'port', 'api_port', 'username', 'password'] },
      },
    });
    const partial = { ...whole, password: '', host_ip: ' ', port: undefined };
    const report = await tested(outbound, partial);
    expect(report.message).toBe(`${prefix}host_ip, port, password`);
  });
});
