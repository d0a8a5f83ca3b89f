import { afterEach, describe, expect, test } from 'vitest';
import { endSessions, readSessions } from './api-driver.ts';
import {
  cardServerAt,
  closedPort,
  outbound,
  startApi,
  startCanned,
  stopServers,
} from './testing/servers.ts';

const STARTED = '2026-11-27T20:00:00.000Z';
const SINCE = '2026-11-27T21:00:00.000Z';

afterEach(stopServers);

async function readOf(json: object, status = 200) {
  const { cardServer } = await startApi(() => ({ status, json }));
  return readSessions({ outbound, server: cardServer });
}

const anna = {
  username: 'anna',
  connections: 2,
  sessions: [{ protocol: 'cccam', address: '198.51.100.7', since: SINCE }],
  counters: { ok: 10, refused: 2, timed_out: 1 },
  answer_ms: 210,
};

test('reads who is on, page by page', async () => {
  const head = { server: 'OSCam 2.26.05', started_at: STARTED };
  const { cardServer, calls } = await startApi(({ url }) => ({
    status: 200,
    json:
      url === '/sessions'
        ? { ...head, accounts: [anna], next: 'anna' }
        : { ...head, accounts: [{ username: 'bob', connections: 1 }], next: null },
  }));
  expect(await readSessions({ outbound, server: cardServer })).toEqual({
    ok: true,
    card_server: 'OSCam 2.26.05',
    started_at: new Date(STARTED),
    accounts: [
      anna,
      { username: 'bob', connections: 1, sessions: [], counters: null, answer_ms: null },
    ],
  });
  expect(calls.map(({ url }) => url)).toEqual(['/sessions', '/sessions?after=anna']);
});

test('what a foreign machine sends of another type or length counts as not said', async () => {
  const strange = [
    null,
    7,
    { username: '' },
    { username: 'x'.repeat(300) },
    { username: 'nul\u0000' },
    {
      ...anna,
      connections: '2',
      sessions: [
        { protocol: 'server-secret\n<b>', address: 'a'.repeat(5000), since: 'soon' },
        'no',
        ...Array.from({ length: 50 }, () => ({})),
      ],
      counters: { ok: '1', refused: 0, timed_out: 0 },
      answer_ms: '7',
    },
  ];
  const read = await readOf({ server: ['x'], started_at: 5, accounts: strange, next: 7 });
  expect(read).toMatchObject({ ok: true, card_server: null, started_at: null });
  const accounts = read.ok ? read.accounts : [];
  expect(accounts).toHaveLength(1);
  expect(accounts[0]).toMatchObject({ username: 'anna', connections: 52, counters: null });
  expect(accounts[0]?.answer_ms).toBeNull();
  expect(accounts[0]?.sessions).toHaveLength(51);
  expect(accounts[0]?.sessions[0]).toEqual({
    protocol: '*** <b>',
    address: 'a'.repeat(100),
    since: null,
  });
});

describe('a reading that fails', () => {
  test.each([
    ['of an older agent', 404, { message: 'Not found' }, null],
    ['of an agent without means', 404, { message: 'no', code: 'NO_SESSIONS' }, null],
    ['of another card server', 200, { message: 'welcome' }, null],
    ['of a wrong password', 401, {}, { code: 'API_AUTHENTICATION_FAILED', data: { status: 401 } }],
    [
      'of a web interface that is away',
      503,
      { message: 'away', code: 'WEBIF_UNREACHABLE', data: { reason: 'ECONNREFUSED' } },
      { code: 'NOT_TAKEN', data: { cause: 'WEBIF_UNREACHABLE', reason: 'connection refused' } },
    ],
    [
      'of an information port that is away',
      503,
      { message: 'away', code: 'CCCAM_INFO_NOT_READ', data: { reason: 'HTTP 401 server-secret' } },
      { code: 'CCCAM_INFO_NOT_READ', data: { reason: 'HTTP 401 ***' } },
    ],
    ['of an error', 500, {}, { code: 'API_NOT_RESPONDING', data: { status: 500 } }],
  ])('%s has its finding', async (_, status, json, finding) => {
    expect(await readOf(json, status)).toEqual({ ok: false, finding });
  });

  test('of a server that is away or talks nonsense is unreachable', async () => {
    const away = await readSessions({ outbound, server: cardServerAt(await closedPort()) });
    expect(away).toEqual({
      ok: false,
      finding: { code: 'NOT_REACHED', data: { reason: 'connection refused' } },
    });
    const { port } = await startCanned('nonsense\r\n\r\n');
    expect(await readSessions({ outbound, server: cardServerAt(port) })).toMatchObject({
      ok: false,
      finding: { code: 'NOT_REACHED' },
    });
  });

  test('in its second page is no reading of half of the accounts', async () => {
    const { cardServer } = await startApi(({ url }) =>
      url === '/sessions'
        ? { status: 200, json: { accounts: [anna], next: 'anna' } }
        : { status: 500, json: {} },
    );
    expect(await readSessions({ outbound, server: cardServer })).toMatchObject({ ok: false });
  });
});

const LINE = '01a223ae-bea4-7016-a03a-9a8e827b3b8a';

describe('the end of sessions', () => {
  async function endOf(json: object, status = 200) {
    const { cardServer, calls } = await startApi(() => ({ status, json }));
    return {
      result: await endSessions(
        { outbound, server: cardServer },
        { line: LINE, usernames: ['anna'] },
      ),
      calls,
    };
  }

  test('says how many there were', async () => {
    const { result, calls } = await endOf({ message: 'OK', ended: 2 });
    expect(result).toEqual({ ok: true, ended: 2 });
    expect(calls).toMatchObject([
      { method: 'POST', url: '/end-sessions', body: { username: 'anna', line: LINE } },
    ]);
  });

  test('says why there is none', async () => {
    const hidden = await endOf({ message: 'hidden', code: 'SESSIONS_HIDDEN' }, 409);
    expect(hidden.result).toEqual({
      ok: false,
      finding: { code: 'IN_OTHER_WORDS', data: { words: 'hidden', said: 'SESSIONS_HIDDEN' } },
    });
    const older = await endOf({ message: 'Not found' }, 404);
    expect(older.result).toMatchObject({
      ok: false,
      finding: { data: { said: 'CANNOT_END_SESSIONS' } },
    });
    const { result } = await endOf({}, 401);
    expect(result).toMatchObject({ ok: false, finding: { code: 'API_AUTHENTICATION_FAILED' } });
  });
});
