import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OscamClient } from '@linekeeper/oscam/testing/pages.ts';
import { expect, onTestFinished, test } from 'vitest';
import { readInfoSettings } from '../settings.ts';
import { startAgentBeside, startTestOscam } from '../testing/oscam/beside.ts';
import { spawnAgent, startTestAgent, temporaryFolder } from '../testing.ts';
import { readClients, readHome } from './cccam.ts';

const LOGIN = '2026-11-27T22:02:22+0000';
const SINCE = '2026-11-27T22:02:22.000Z';

const client = (user: string, ip: string, more: Partial<OscamClient> = {}): OscamClient => ({
  user,
  ip,
  login: LOGIN,
  ...more,
});

async function startBesideOscam() {
  const oscam = await startTestOscam();
  const agent = await startAgentBeside(oscam);
  return { oscam, agent };
}

test('the web interface says which of the agent’s accounts are on, and never what they watch', async () => {
  const { oscam, agent } = await startBesideOscam();
  for (const name of ['anna', 'bob', 'zoë']) await agent.add(name);
  await oscam.edit('operator-row', { pwd: 'x' });
  const stats = { cwok: '10', cwcache: '5', cwnok: '2', cwignore: '1', cwtimeout: '3' };
  oscam.clients.push(
    client('anna', '198.51.100.7', { stats: { ...stats, cwlastresptime: '210' } }),
    client('operator-row', '198.51.100.9'),
    client('zo\u00c3\u00ab', '2001:db8::1'),
  );
  const { status, body } = await agent.call('GET', '/sessions');
  expect(status).toBe(200);
  expect(body).toEqual({
    message: 'OK',
    server: 'OSCam 2.26.01',
    started_at: expect.stringMatching(/^\d{4}-.*Z$/),
    accounts: [
      {
        username: 'anna',
        line: null,
        connections: 1,
        sessions: [{ protocol: 'CCcam', address: '198.51.100.7', since: SINCE }],
        counters: { ok: 15, refused: 3, timed_out: 3 },
        answer_ms: 210,
      },
      {
        username: 'zoë',
        line: null,
        connections: 1,
        sessions: [{ protocol: 'CCcam', address: '2001:db8::1', since: SINCE }],
        counters: { ok: 0, refused: 0, timed_out: 0 },
        answer_ms: null,
      },
    ],
    next: null,
  });
});

test('an idle client that the status hides counts, and a read-only OSCam says who is on, too', async () => {
  const { oscam, agent } = await startBesideOscam();
  await agent.add('anna');
  oscam.faults.readOnly = true;
  oscam.clients.push(
    client('anna', '198.51.100.7'),
    client('anna', '203.0.113.5', { isIdle: true }),
  );
  const { body } = await agent.call('GET', '/sessions');
  expect(body.accounts).toMatchObject([
    {
      connections: 2,
      sessions: [
        { address: '198.51.100.7', since: SINCE },
        { address: '203.0.113.5', since: null },
      ],
    },
  ]);
});

test('many accounts come in pages that a panel can read, of one reading', async () => {
  const { oscam, agent } = await startBesideOscam();
  const names = Array.from({ length: 30 }, (_, index) => `line-${String(index).padStart(3, '0')}`);
  for (const name of names) await agent.add(name);
  for (const name of names) {
    for (let box = 0; box < 20; box++) oscam.clients.push(client(name, `198.51.${box}.1`));
  }
  const found: string[] = [];
  let path = '/sessions';
  let pages = 0;
  do {
    const { body } = await agent.call('GET', path);
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(64 * 1024);
    const accounts = body.accounts as unknown as { username: string; connections: number }[];
    expect(accounts.every(({ connections }) => connections === 20)).toBe(true);
    found.push(...accounts.map(({ username }) => username));
    path = body.next ? `/sessions?after=${encodeURIComponent(body.next)}` : '';
    pages += 1;
    // Clients that disconnect between two pages do not change the reading.
    oscam.clients.length = 0;
  } while (path);
  expect([found, pages > 1]).toEqual([names, true]);
});

test('ends the sessions of an account and of no other', async () => {
  const { oscam, agent } = await startBesideOscam();
  await agent.add('anna');
  await agent.add('bob');
  const [first, other, bob] = [
    client('anna', '198.51.100.7'),
    client('anna', '203.0.113.5'),
    client('bob', '198.51.100.8'),
  ];
  oscam.clients.push(first, bob, other);
  const ended = await agent.call('POST', '/end-sessions', { username: 'anna' });
  expect([ended.status, ended.body.ended]).toEqual([200, 2]);
  expect(oscam.clients).toEqual([bob]);
  const again = await agent.call('POST', '/end-sessions', { username: 'anna' });
  expect([again.status, again.body.ended]).toEqual([200, 0]);

  const stranger = await agent.call('POST', '/end-sessions', { username: 'nobody' });
  expect([stranger.status, stranger.body.code]).toEqual([404, 'USER_NOT_FOUND']);
  bob.isIdle = true;
  const hidden = await agent.call('POST', '/end-sessions', { username: 'bob' });
  expect([hidden.status, hidden.body.code]).toEqual([409, 'SESSIONS_HIDDEN']);
});

test('a row of the operator’s in the place of an account is theirs, and an account may be another line’s', async () => {
  const { oscam, agent } = await startBesideOscam();
  await agent.add('anna');
  await agent.call('POST', '/add-user', {
    username: 'bob',
    password: 'pw',
    expiryDate: '31-12-2099',
    line: 'line-of-bob',
  });
  oscam.clients.push(client('anna', '198.51.100.7'), client('bob', '198.51.100.8'));
  const who = async () => {
    const { body } = await agent.call('GET', '/sessions');
    const accounts = body.accounts as unknown as { username: string; line: string | null }[];
    return accounts.map(({ username, line }) => [username, line]);
  };
  expect(await who()).toEqual([
    ['anna', null],
    ['bob', 'line-of-bob'],
  ]);
  const end = async (username: string, line: string) =>
    (await agent.call('POST', '/end-sessions', { username, line })).body.ended;
  expect(await end('bob', 'line-of-another')).toBe(0);
  expect(await end('bob', 'line-of-bob')).toBe(1);

  await agent.call('DELETE', '/delete-user', { username: 'anna' });
  await oscam.edit('anna', { pwd: 'the operator’s' });
  expect(await who()).toEqual([]);
});

test('a card server that cannot be asked is not one on which nobody is', async () => {
  const { oscam, agent } = await startBesideOscam();
  await agent.add('anna');
  oscam.faults.forbids = true;
  const forbidden = await agent.call('GET', '/sessions');
  expect([forbidden.status, forbidden.body.code]).toEqual([503, 'WEBIF_FORBIDDEN']);
  expect(forbidden.body.data).toEqual({ status: 403 });
  oscam.faults.forbids = false;
  await oscam.kill();
  const gone = await agent.call('GET', '/sessions');
  expect([gone.status, gone.body.code]).toEqual([503, 'WEBIF_UNREACHABLE']);
});

test('an agent that has no means says so', async () => {
  const agent = await startTestAgent();
  await agent.add('anna');
  const list = await agent.call('GET', '/sessions');
  expect([list.status, list.body.code]).toEqual([404, 'NO_SESSIONS']);
  const end = await agent.call('POST', '/end-sessions', { username: 'anna' });
  expect([end.status, end.body.code]).toEqual([404, 'CANNOT_END_SESSIONS']);
});

const HOME = `<HTML><BODY>Welcome to CCcam 2.3.0 server <BR>
Connected clients: 2<BR>Uptime: 01d 02:00:00<BR></BODY></HTML>`;
const CLIENTS = `<HTML><BODY><PRE>
Connected clients: 4
+----------+---------------+------------+------------+----------+------+---------+------------------+----------+
| Username | Host          | Connected  | Idle time  | ECM      | EMM  | Version | Last used share  | Ecm time |
+----------+---------------+------------+------------+----------+------+---------+------------------+----------+
|anna      |198.51.100.7   |00d 01:00:00|00d 00:00:01|120(100)  |0(0)  |2.3.0    |remote 0500:1 ok  |   0.12   |
|anna      |203.0.113.5    |00d 00:00:10|00d 00:00:01|10(5)     |0(0)  |2.3.0    |                  |          |
|bob       |198.51.100.8   |soon        |            |          |      |         |                  |          |
|stranger  |198.51.100.9   |00d 00:00:10|            |          |      |         |                  |          |
+----------+---------------+------------+------------+----------+------+---------+------------------+----------+
</PRE></BODY></HTML>`;
const NOW = new Date('2026-11-27T22:00:00Z');

/** Starts CCcam's information port, as programs on the same machine see it. */
async function startInfoPort(pages: Record<string, string>) {
  const basic = `Basic ${Buffer.from('adm:it s').toString('base64')}`;
  const server = createServer(({ url = '', headers }, response) => {
    if (headers.authorization !== basic) response.writeHead(401).end();
    else response.end(pages[url] ?? '');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

test('CCcam’s information port says who is on', async () => {
  const url = await startInfoPort({ '/': HOME, '/clients': CLIENTS });
  const settings = { CCCAM_INFO_URL: url, CCCAM_INFO_USER: 'adm', CCCAM_INFO_PASSWORD: 'it s' };
  const info = readInfoSettings(settings);
  if (!info) throw new Error('no settings');
  const agent = await startTestAgent({ info, now: () => NOW });
  for (const name of ['anna', 'bob']) await agent.add(name);
  const { status, body } = await agent.call('GET', '/sessions');
  expect(status).toBe(200);
  expect(body).toEqual({
    message: 'OK',
    server: 'CCcam 2.3.0',
    started_at: '2026-11-26T20:00:00.000Z',
    accounts: [
      {
        username: 'anna',
        line: null,
        connections: 2,
        sessions: [
          { protocol: 'cccam', address: '198.51.100.7', since: '2026-11-27T21:00:00.000Z' },
          { protocol: 'cccam', address: '203.0.113.5', since: '2026-11-27T21:59:50.000Z' },
        ],
        counters: { ok: 105, refused: 25, timed_out: 0 },
        answer_ms: null,
      },
      {
        username: 'bob',
        line: null,
        connections: 1,
        sessions: [{ protocol: 'cccam', address: '198.51.100.8', since: null }],
        counters: null,
        answer_ms: null,
      },
    ],
    next: null,
  });
  const end = await agent.call('POST', '/end-sessions', { username: 'anna' });
  expect([end.status, end.body.code]).toEqual([404, 'CANNOT_END_SESSIONS']);
});

test('an information port that cannot be read says why', async () => {
  const url = await startInfoPort({ '/': HOME, '/clients': CLIENTS });
  const wrong = { url: new URL(url), user: 'adm', password: 'other' };
  const agent = await startTestAgent({ info: wrong });
  const { status, body } = await agent.call('GET', '/sessions');
  expect([status, body.code, body.data]).toEqual([
    503,
    'CCCAM_INFO_NOT_READ',
    { reason: 'HTTP 401' },
  ]);
});

test('a page without the table is not a card server without clients', () => {
  expect(readClients('<html>router</html>', NOW)).toBeUndefined();
  const [empty = ''] = CLIENTS.split('|anna');
  expect(readClients(empty, NOW)).toEqual([]);
  expect(readHome('nothing', NOW)).toEqual({ server: 'CCcam', started_at: null });
});

test('settings that do not belong together stop the agent at its start', async () => {
  const env = { AGENT_DIR: temporaryFolder(), CCCAM_INFO_USER: 'adm' };
  const child = await spawnAgent(env);
  expect([child.url, (await child.ended).code]).toEqual([undefined, 1]);
  expect(child.errors()).toBe(
    'Agent could not start: CCCAM_INFO_USER is set without CCCAM_INFO_URL\n',
  );
});
