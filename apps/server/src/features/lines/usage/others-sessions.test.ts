// An account that the panel has not created on its card server belongs to somebody else: the panel
// neither shows nor ends its sessions.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, stopServers } from '../../../domain/machines/card-server/testing/servers.ts';
import { newId } from '../../../platform/ids.ts';
import {
  addOscamServer,
  type OscamServer,
  startOscamServer,
} from '../../../testing/card-servers/oscam-server.ts';
import { newLine } from '../../../testing/lines.ts';
import { checkById } from '../../../testing/loops.ts';
import { startTestPanel, type TestPanel } from '../../../testing/panel.ts';

const LOGIN = '2026-11-27T22:02:22+0000';

let panel: TestPanel;
let oscam: OscamServer;
let server: string;
beforeAll(async () => {
  [panel, oscam] = await Promise.all([startTestPanel(), startOscamServer()]);
  server = (await addOscamServer(panel, oscam)).id;
});
afterAll(async () => {
  await panel?.stop();
  await oscam?.stop();
  await stopServers();
});

let count = 0;
/** Creates an account of the operator's with a client that is online. */
async function operatorsOwn(settings: Record<string, string> = {}): Promise<string> {
  const user = `operator${count++}`;
  await oscam.edit(user, { pwd: 'own', ...settings });
  connect(user, '198.51.100.7');
  return user;
}
const connect = (user: string, ip: string) => oscam.clients.push({ user, ip, login: LOGIN });
const isOn = (name: string) => oscam.clients.some(({ user }) => user === name);

async function sell(username: string, server_id = server) {
  const { status, body } = await panel.admin.post('/api/lines', newLine(username, { server_id }));
  expect(status).toBe(201);
  return body;
}
async function usage(id: string, server_id = server) {
  await checkById(panel.services, server_id);
  return (await panel.admin.get(`/api/lines/${id}/usage`)).body;
}
const end = async (id: string) => (await panel.admin.post(`/api/lines/${id}/end-sessions`)).body;

async function expectNothingOf(name: string, id: string) {
  expect(await usage(id)).toMatchObject({ sessions: [], presence: { connections: 0 } });
  expect(JSON.stringify(await usage(id))).not.toContain('198.51.100');
  expect(await end(id)).toMatchObject({ ended: 0 });
  expect(isOn(name)).toBe(true);
}

test('a sale of the operator’s name shows and ends nothing', async () => {
  const name = await operatorsOwn();
  const { line, sync } = await sell(name);
  expect(sync).toMatchObject({ ok: false });
  await expectNothingOf(name, line.id);
});

test('nor does that of a name which another panel has there', async () => {
  const name = await operatorsOwn({ description: `Linekeeper ${newId()}` });
  const { line } = await sell(name);
  await expectNothingOf(name, line.id);
});

test('a line with the operator’s name as its new one has its own sessions alone', async () => {
  const name = await operatorsOwn();
  const { line } = await sell(`renamed${count++}`);
  await panel.admin.patch(`/api/lines/${line.id}`, { username: name });
  await expectNothingOf(name, line.id);
});

test('on an OSCam that takes no changes, nobody is cut off', async () => {
  const own = await sell(`before${count++}`);
  connect(own.line.username, '203.0.113.7');
  oscam.faults.readOnly = true;
  try {
    const name = await operatorsOwn();
    const { line } = await sell(name);
    await expectNothingOf(name, line.id);
    expect(await usage(own.line.id)).toMatchObject({ sessions: [{ network: '203.0.113.0/24' }] });
    expect(await end(own.line.id)).toMatchObject({
      ended: 0,
      finding: { code: 'OSCAM_READ_ONLY' },
    });
    expect(isOn(own.line.username)).toBe(true);
  } finally {
    oscam.faults.readOnly = false;
    await checkById(panel.services, server);
  }
});

test('an account that the operator has put in the place of the panel’s is theirs', async () => {
  const { line } = await sell(`replaced${count++}`);
  await oscam.remove(line.username);
  await oscam.edit(line.username, { pwd: 'own' });
  connect(line.username, '198.51.100.7');
  await expectNothingOf(line.username, line.id);
});

test('those of the line are shown and ended, while it is suspended, too', async () => {
  const { line } = await sell(`own${count++}`);
  connect(line.username, '203.0.113.7');
  expect(await usage(line.id)).toMatchObject({ sessions: [{ network: '203.0.113.0/24' }] });
  await panel.admin.post(`/api/lines/${line.id}/suspend`);
  expect(await usage(line.id)).toMatchObject({ presence: { state: 'online' } });
  expect(await end(line.id)).toEqual({ ended: 1, message: null, finding: null });
  expect(isOn(line.username)).toBe(false);
});

test('once in ten seconds', async () => {
  const { line } = await sell(`often${count++}`);
  const path = `/api/lines/${line.id}/end-sessions`;
  const all = await Promise.all([1, 2, 3].map(() => panel.admin.post(path)));
  expect(all.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
  const refused = all.find(({ status }) => status === 429);
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  const entries = await panel.admin.get(`/api/audit?action=line.end_sessions&limit=100`);
  const own = entries.body.items.filter(
    ({ subject_id }: { subject_id: string }) => subject_id === line.id,
  );
  expect(own).toHaveLength(1);
});

test('an agent of before, which tells of all names, is believed of those that it has taken', async () => {
  const asked: unknown[] = [];
  const session = { protocol: 'cccam', address: '203.0.113.7', since: null };
  const api = await startApi(({ url, body }) => {
    const { username } = (body ?? {}) as { username: string };
    if (url === '/sessions') {
      const accounts = ['there', 'taken'].map((name) => ({
        username: name,
        connections: 1,
        sessions: [session],
      }));
      return { status: 200, json: { server: 'OSCam 2.26', accounts } };
    }
    if (url === '/end-sessions') {
      asked.push(body);
      return { status: 200, json: { ended: 1 } };
    }
    if (url === '/add-user' && username === 'there') {
      return { status: 409, json: { code: 'KEPT_BY_HAND', data: { file: 'oscam.user' } } };
    }
    return { status: 200, json: { version: '1' } };
  });
  const { id } = await panel.addServer(`http://127.0.0.1:${api.port}`);
  const [there, sold] = [await sell('there', id), await sell('taken', id)];
  expect(await usage(there.line.id, id)).toMatchObject({ sessions: [] });
  expect(await usage(sold.line.id, id)).toMatchObject({ presence: { connections: 1 } });
  expect(await end(there.line.id)).toMatchObject({ ended: 0 });
  expect(await end(sold.line.id)).toMatchObject({ ended: 1 });
  expect(asked).toEqual([{ username: 'taken', line: sold.line.id }]);
});

test('reading who is on keeps no sale waiting', async () => {
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  oscam.faults.beforeStatus = () => held;
  const reading = checkById(panel.services, server);
  try {
    const { sync } = await sell(`meanwhile${count++}`);
    expect(sync).toMatchObject({ ok: true });
  } finally {
    oscam.faults.beforeStatus = undefined;
    go();
    await reading;
  }
});
