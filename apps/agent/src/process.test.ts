// @module-tag thorough
import { chmodSync, chownSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { Store } from './store.ts';
import {
  basic,
  call,
  eventually,
  openSocket,
  spawnAgent,
  startTestAgent,
  temporaryFolder,
} from './testing.ts';

const ADDS = 200;

function addsAtOnce(url: string, onAdded: (username: string) => void): Promise<void>[] {
  return Array.from({ length: ADDS }, async (_, index) => {
    const username = `line-${index}`;
    const body = { username, password: `pw-${index}`, expiryDate: '31-12-2099' };
    const answer = await call(url, 'POST', '/add-user', body).catch(() => undefined);
    if (answer?.status === 201) onAdded(username);
  });
}

function storedIn(dir: string): string[] {
  const db = new DatabaseSync(join(dir, 'agent.db'), { readOnly: true });
  const rows = db.prepare('SELECT username FROM accounts ORDER BY username').all();
  db.close();
  return rows.map(({ username }) => String(username));
}

async function listedBy(url: string): Promise<string[]> {
  const { body } = await call(url, 'GET', '/users');
  return (body.users as unknown as { username: string }[]).map(({ username }) => username);
}

function renderedIn(dir: string): string[][] {
  const cccam = readFileSync(join(dir, 'CCcam.cfg'), 'utf8').match(/(?<=^F: )\S+/gm) ?? [];
  const oscam = readFileSync(join(dir, 'oscam.user'), 'utf8').match(/(?<=^user = )\S+/gm) ?? [];
  return [cccam, oscam];
}

test('200 adds side by side are all answered, and kill -9 takes none of them back', async () => {
  const dir = temporaryFolder();
  const first = await spawnAgent({ AGENT_DIR: dir });
  const added: string[] = [];
  const shown: boolean[] = [];
  const adds = addsAtOnce(first.url!, (username) => {
    added.push(username);
    shown.push(renderedIn(dir).every((names) => names.includes(username)));
  });
  await Promise.all(adds);
  expect(added).toHaveLength(ADDS);
  expect(shown).toEqual(Array(ADDS).fill(true));
  expect(renderedIn(dir)).toEqual([added.toSorted(), added.toSorted()]);
  first.process.kill('SIGKILL');
  await first.ended;

  const second = await spawnAgent({ AGENT_DIR: dir });
  expect(second.url).toBeDefined();
  expect(await listedBy(second.url!)).toEqual(added.toSorted());
  expect(renderedIn(dir)).toEqual([added.toSorted(), added.toSorted()]);
});

test('kill -9 in the middle of it all loses nothing acknowledged and leaves no debris', async () => {
  const dir = temporaryFolder();
  const operator = 'F: op pw\r\n# caf\xe9 without an end';
  writeFileSync(join(dir, 'CCcam.cfg'), Buffer.from(operator, 'latin1'));
  const first = await spawnAgent({ AGENT_DIR: dir });
  const added: string[] = [];
  const adds = addsAtOnce(first.url!, (username) => {
    added.push(username);
    if (added.length === 20) first.process.kill('SIGKILL');
  });
  await Promise.all(adds);
  await first.ended;

  const second = await spawnAgent({ AGENT_DIR: dir });
  const stored = await listedBy(second.url!);
  expect(stored).toEqual(expect.arrayContaining(added));
  expect(renderedIn(dir)).toEqual([['op', ...stored], stored]);
  const text = readFileSync(join(dir, 'CCcam.cfg'), 'latin1');
  expect(text.startsWith(`${operator}\n# BEGIN linekeeper\n`)).toBe(true);
  expect(readdirSync(dir).filter((name) => /linekeeper-[0-9a-f]{16}/.test(name))).toEqual([]);
  for (const username of stored.slice(0, 3)) {
    const answer = await call(second.url!, 'DELETE', '/delete-user', { username });
    expect(answer.status).toBe(200);
  }
});

test('what was stored but not rendered when the agent died is rendered at the next start', async () => {
  const dir = temporaryFolder();
  const first = await startTestAgent({ dir });
  await first.add('bob');
  await first.add('eva');
  await first.close();
  const store = new Store(join(dir, 'agent.db'));
  store.remove('bob');
  store.add({ username: 'tom', password: 'pw', expiry_date: '2099-12-31' });
  store.close();
  await startTestAgent({ dir });
  expect(renderedIn(dir)).toEqual([
    ['eva', 'tom'],
    ['eva', 'tom'],
  ]);
});

test('a folder serves one agent at a time', async () => {
  const agent = await startTestAgent();
  const refused = 'is already in use by another agent';
  await expect(startTestAgent({ dir: agent.dir })).rejects.toThrow(refused);
  const child = await spawnAgent({ AGENT_DIR: agent.dir });
  expect([child.url, (await child.ended).code]).toEqual([undefined, 1]);
  expect(child.errors()).toBe(`Agent could not start: AGENT_DIR ${agent.dir} ${refused}\n`);
  expect((await agent.add('bob')).status).toBe(201);
  await agent.close();
  expect((await (await startTestAgent({ dir: agent.dir })).add('bob')).status).toBe(409);
});

test('settings that cannot work are named, with exit code 1', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as { port: number };
  const broken = temporaryFolder();
  writeFileSync(join(broken, 'agent.db'), 'x'.repeat(5000));
  const cases: [Record<string, string>, RegExp][] = [
    [{ AGENT_USERNAME: '' }, /AGENT_USERNAME is missing/],
    [{ AGENT_PASSWORD: '' }, /AGENT_PASSWORD is missing/],
    [{ AGENT_USERNAME: 'a:b' }, /AGENT_USERNAME must not contain a colon/],
    [{ AGENT_PORT: '65536' }, /AGENT_PORT '65536' is not a port/],
    [{ AGENT_PORT: 'http' }, /AGENT_PORT 'http' is not a port/],
    [{ AGENT_PORT: `${port}` }, new RegExp(`port ${port} on 127.0.0.1 is already in use`)],
    [
      { AGENT_HOST: '192.0.2.1' },
      /cannot listen on 192.0.2.1 port 0 \(AGENT_HOST, AGENT_PORT\): EADDRNOTAVAIL/,
    ],
    [{ TIME_ZONE: 'Mars/Olympus' }, /TIME_ZONE 'Mars\/Olympus' is not a known time zone/],
    [{ AGENT_DIR: broken }, /cannot open .*agent\.db: file is not a database/],
    [{ AGENT_DIR: '/dev/null/agent' }, /cannot create AGENT_DIR \/dev\/null\/agent: ENOTDIR/],
  ];
  // Processes run one at a time, because ten at once would only slow each other down.
  for (const [env, message] of cases) {
    const child = await spawnAgent({ AGENT_DIR: temporaryFolder(), ...env });
    expect([env, child.url, (await child.ended).code]).toEqual([env, undefined, 1]);
    expect(child.errors()).toMatch(message);
    expect(child.errors()).toMatch(/^Agent could not start: .*\n$/);
  }
  taken.close();
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} ends requests in flight, then the process`, async () => {
    const dir = temporaryFolder();
    const child = await spawnAgent({ AGENT_DIR: dir });
    const body = JSON.stringify({ username: 'bob', password: 'pw', expiryDate: '31-12-2099' });
    const [silent, idle, busy] = [1, 2, 3].map(() => openSocket(child.url!));
    idle!.socket.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n');
    const head = `POST /add-user HTTP/1.1\r\nhost: x\r\nauthorization: ${basic()}\r\n`;
    busy!.socket.write(`${head}content-length: ${body.length}\r\n\r\n${body.slice(0, 10)}`);
    await eventually(() => expect(child.output()).toContain('/health'));

    child.process.kill(signal);
    expect(await idle!.received).toMatch(/^HTTP\/1.1 200 /);
    await expect(call(child.url!, 'GET', '/health')).rejects.toThrow('fetch failed');
    busy!.socket.write(body.slice(10));
    expect(await busy!.received).toMatch(/^HTTP\/1.1 201 [\s\S]*User added successfully/);
    expect(await child.ended).toEqual({ code: 0, signal: null });
    await silent!.received;
    expect(storedIn(dir)).toEqual(['bob']);
    expect(child.errors()).toBe('');
    for (const line of child.output().trim().split('\n').slice(1)) {
      expect(JSON.parse(line)).toMatchObject({ level: 'info', status: expect.any(Number) });
    }
  });
}

test('a request that never ends does not hold up the stop', async () => {
  const child = await spawnAgent({ AGENT_DIR: temporaryFolder() });
  const stuck = openSocket(child.url!);
  const head = `POST /add-user HTTP/1.1\r\nhost: x\r\nauthorization: ${basic()}\r\n`;
  stuck.socket.write(`${head}content-length: 100\r\n\r\n{`);
  await new Promise((resolve) => setTimeout(resolve, 200));
  child.process.kill('SIGTERM');
  expect(await child.ended).toEqual({ code: 0, signal: null });
});

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

test.runIf(isRoot)('a group that it cannot give back is said, and the mode stays', async () => {
  const dir = temporaryFolder();
  const file = join(dir, 'oscam.user');
  writeFileSync(file, '');
  for (const path of [dir, file]) chownSync(path, NOBODY, NOBODY);
  chownSync(file, NOBODY, 60);
  chmodSync(file, 0o640);
  const agent = await spawnAgent({ AGENT_DIR: dir }, { uid: NOBODY, gid: NOBODY });
  const body = { username: 'anna', password: 'pw', expiryDate: '31-12-2099' };
  expect((await call(agent.url!, 'POST', '/add-user', body)).status).toBe(201);
  expect(statSync(file)).toMatchObject({ uid: NOBODY, gid: NOBODY, mode: 0o100640 });
  const said = `${file} belonged to user ${NOBODY} and group 60 and now belongs to user ${NOBODY} and group ${NOBODY}`;
  await eventually(() => expect(agent.output() + agent.errors()).toContain(said));
});
