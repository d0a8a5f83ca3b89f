import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAgent } from '@linekeeper/agent/agent.ts';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { dumpText } from '../../../testing/database/dump.ts';
import { startTestPanel, type TestPanel } from '../../../testing/panel.ts';
import { ZONE } from '../../../testing/zone.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await startTestPanel();
});
beforeEach(() => panel.services.db.deleteFrom('rate_limits').execute());

const keyOf = (command: string) => /KEY=(\S+)/.exec(command)?.[1] ?? '';

async function awaitAgent() {
  const { status, body } = await panel.admin.post('/api/servers/awaited', {});
  expect(status).toBe(201);
  return { id: body.awaited.id as string, command: body.command, key: keyOf(body.command) };
}

const callOf = (key: string, api_port = 3000) =>
  panel
    .anonymous()
    .post('/api/servers/awaited/call', { key, api_port, port: 12_001, agent_version: '1.0.0' });
const readyOf = (key: string) => panel.anonymous().post('/api/servers/awaited/ready', { key });
const stateOf = async (id: string) => (await panel.admin.get(`/api/servers/awaited/${id}`)).body;
const confirm = (id: string, host = '127.0.0.1') =>
  panel.admin.post(`/api/servers/awaited/${id}/confirm`, { host });
/** Stores another port in the agent's call, because the agent of a test listens on another port than it reported. */
const setPort = async (id: string, api_port: number) =>
  panel.services.db
    .updateTable('awaited_servers')
    .set({ call: JSON.stringify({ ...(await stateOf(id)).called, api_port }) })
    .where('id', '=', id)
    .execute();
const add = (id: string, more: object = {}) =>
  panel.admin.post(`/api/servers/awaited/${id}/server`, {
    server_name: 'Warsaw',
    public_host: 'waw.lines.example',
    port: 12_000,
    ...more,
  });

/** Starts an agent with the password from the reply to the call, as the installation does. */
async function runAgent(username: string, password: string) {
  const dir = await mkdtemp(join(tmpdir(), 'linekeeper-awaited-'));
  const agent = await startAgent({ dir, username, password, port: 0, timeZone: ZONE });
  onTestFinished(async () => {
    await agent.close();
    await rm(dir, { recursive: true });
  });
  return Number(new URL(agent.url).port);
}

test('the command has the address of the browser, and the key not among its arguments', async () => {
  const { command, key } = await awaitAgent();
  expect(key).toMatch(/^(\w{4}-){4}\w{4}$/);
  const script = `${panel.url}/agent.sh`;
  expect(command).toBe(
    `(curl -fsSL ${script} || wget -qO- ${script}) | KEY=${key} PANEL=${panel.url} sh`,
  );
});

test('an agent calls, is reached, and its server works as soon as it is added', async () => {
  const { id, key } = await awaitAgent();
  expect(await stateOf(id)).toMatchObject({ called: null, found: null, server_id: null });
  // The port is known before the password, as in an installation.
  const probe = await runAgent('probe', 'probe');
  const { status, body } = await callOf(key, probe);
  expect(status).toBe(200);
  expect(body).toMatchObject({ username: 'linekeeper', zone: ZONE, host: '127.0.0.1' });
  expect((await readyOf(key)).body).toMatchObject({
    reached: false,
    message: 'Authentication failed with status: 401',
  });
  const port = await runAgent(body.username, body.password);
  await setPort(id, port);
  const reached = { reached: true, host: '127.0.0.1', message: null, finding: null };
  expect((await readyOf(key)).body).toEqual({ ...reached, is_confirmed: false });
  expect((await confirm(id)).body.called).toMatchObject({ is_confirmed: true });
  expect((await readyOf(key)).body).toEqual({ ...reached, is_confirmed: true });
  expect(await stateOf(id)).toMatchObject({
    called: { host: '127.0.0.1', port: 12_001, protocol: 'CCcam', agent_version: '1.0.0' },
    found: { finding: null, zone: ZONE, day_finding: null, latency_ms: expect.any(Number) },
  });
  const added = await add(id);
  expect(added.status).toBe(201);
  const { server } = added.body;
  expect(server).toMatchObject({
    host_ip: '127.0.0.1',
    api_port: port,
    public_host: 'waw.lines.example',
    status: 'inactive',
    awaited_id: null,
  });
  const tested = await panel.admin.post(`/api/servers/${server.id}/test`);
  expect(tested.body).toMatchObject({ status: 'active' });
  const { body: after } = await panel.admin.get(`/api/servers/${server.id}`);
  expect(after).toMatchObject({ agent_version: expect.any(String), agent_outdated: false });
  expect((await add(id)).body.code).toBe('AWAITED_ADDED');
});

const serverOf = async (id: string) => (await panel.admin.get(`/api/servers/${id}`)).body;
/** The newest entry of the bell. */
const newestNotice = async () =>
  (await panel.admin.get('/api/notifications?limit=1')).body.items[0];

test('a caller that nobody knows gets neither the server nor a line, until its address is confirmed', async () => {
  const { id, key } = await awaitAgent();
  const { server } = (await add(id)).body;
  expect(server).toMatchObject({ status: 'inactive', host_ip: 'waw.lines.example' });
  expect(server.awaited_id).toBe(id);
  const { body: login } = await callOf(key);
  const port = await runAgent(login.username, login.password);
  await setPort(id, port);
  expect(await newestNotice()).toMatchObject({
    title: 'The agent of Warsaw has contacted the panel',
    content: expect.stringContaining('127.0.0.1'),
    link: `/cccam-servers/${server.id}`,
  });
  expect((await readyOf(key)).body).toMatchObject({ reached: true, is_confirmed: false });
  expect(await serverOf(server.id)).toEqual(server);
  // The server's test uses the address that the administrator entered.
  const tested = await panel.admin.post(`/api/servers/${server.id}/test`);
  expect(tested.body.status).toBe('error');
  expect(await serverOf(server.id)).toMatchObject({ host_ip: 'waw.lines.example' });

  expect((await confirm(id, '203.0.113.7')).body.code).toBe('AGENT_NOT_CALLED');
  expect((await confirm(id)).body).toMatchObject({
    called: { is_confirmed: true },
    found: { finding: null },
  });
  expect(await serverOf(server.id)).toMatchObject({
    ...{ status: 'active', host_ip: '127.0.0.1', api_port: port, awaited_id: null },
    // The port of the card server, which the agent reported.
    port: 12_001,
  });
  const { body: audit } = await panel.admin.get('/api/audit?action=server.edit');
  expect(audit.items[0]).toMatchObject({ subject_id: server.id, actor_id: expect.any(String) });
});

test('an address of the server’s own needs no confirmation, and is told of all the same', async () => {
  const { id, key } = await awaitAgent();
  const { server } = (await add(id, { server_name: 'Known', public_host: '127.0.0.1' })).body;
  const { body: login } = await callOf(key);
  const port = await runAgent(login.username, login.password);
  await setPort(id, port);
  await panel.services.db
    .updateTable('cccam_servers')
    .set({ api_port: port })
    .where('id', '=', server.id)
    .execute();
  expect((await newestNotice()).title).toBe('The agent of Known has contacted the panel');
  expect((await readyOf(key)).body).toMatchObject({ reached: true, is_confirmed: true });
  expect(await serverOf(server.id)).toMatchObject({ status: 'active', awaited_id: null });
  const { body: audit } = await panel.admin.get('/api/audit?action=server.edit');
  expect(audit.items[0]).toMatchObject({ subject_id: server.id, actor_id: null });
});

test('a server that is added after the call of somebody unknown does not take it over', async () => {
  const { id, key } = await awaitAgent();
  await callOf(key);
  expect(await newestNotice()).toMatchObject({ title: 'A new agent has contacted the panel' });
  const { server } = (await add(id)).body;
  expect(server).toMatchObject({ host_ip: 'waw.lines.example', awaited_id: id });
  // "Not mine" creates a new key, and the panel forgets the agent that called.
  const { body: renewed } = await panel.admin.post('/api/servers/awaited', { id });
  expect(renewed.awaited).toMatchObject({ called: null });
  expect((await readyOf(key)).body.code).toBe('AGENT_KEY_UNKNOWN');
});

test('the key of an installation that failed works again from its address, until the agent is reached', async () => {
  const { id, key } = await awaitAgent();
  const { body: first } = await callOf(key);
  const { body: login } = await callOf(key);
  expect(login.password).not.toBe(first.password);
  await setPort(id, await runAgent(login.username, login.password));
  expect((await readyOf(key)).body.reached).toBe(true);
  expect((await callOf(key)).body.code).toBe('AGENT_KEY_USED');

  const other = await awaitAgent();
  await callOf(other.key);
  await panel.services.db
    .updateTable('awaited_servers')
    .set({ call: JSON.stringify({ ...(await stateOf(other.id)).called, host: '203.0.113.7' }) })
    .where('id', '=', other.id)
    .execute();
  expect((await callOf(other.key)).body.code).toBe('AGENT_KEY_USED');
});

test('an unconfirmed caller is called back so often and no more', async () => {
  const { key } = await awaitAgent();
  await callOf(key, 1);
  for (let call = 0; call < 30; call++) expect((await readyOf(key)).status).toBe(200);
  expect((await readyOf(key)).status).toBe(429);
});

test('a key works for one agent, for half an hour, and not when a newer one took its place', async () => {
  const { id, key } = await awaitAgent();
  expect((await callOf('not a key')).body.code).toBe('AGENT_KEY_UNKNOWN');
  expect((await readyOf(key)).body.code).toBe('AGENT_NOT_CALLED');
  expect((await callOf(key)).status).toBe(200);

  const { body: renewed } = await panel.admin.post('/api/servers/awaited', { id });
  expect(renewed.awaited).toMatchObject({ id, called: null });
  expect((await callOf(key)).body.code).toBe('AGENT_KEY_UNKNOWN');

  await panel.services.db
    .updateTable('awaited_servers')
    .set({ expires_at: new Date() })
    .where('id', '=', id)
    .execute();
  expect((await callOf(keyOf(renewed.command))).body.code).toBe('AGENT_KEY_ENDED');
});

/** A server that was reached, and a new installation of its agent that has called. */
async function installAgain(more: object = {}) {
  const first = await runAgent('admin', 'of-old');
  const { body } = await panel.admin.post('/api/servers', {
    server_name: 'Kept',
    host_ip: '127.0.0.1',
    public_host: 'kept.lines.example',
    port: 12_000,
    api_port: first,
    username: 'admin',
    password: 'of-old',
  });
  const { id } = body.server;
  const test = () => panel.admin.post(`/api/servers/${id}/test`);
  expect((await test()).body.status).toBe('active');
  await panel.admin.patch(`/api/servers/${id}`, more);
  const made = await panel.admin.post('/api/servers/awaited', { server_id: id });
  expect(made.status).toBe(201);
  const awaited = made.body.awaited.id as string;
  const key = keyOf(made.body.command);
  const read = async () => (await panel.admin.get(`/api/servers/${id}`)).body;
  return { id, awaited, key, test, read, before: await read() };
}

test('an agent that is installed again changes nothing of its server but the password', async () => {
  const { id, awaited, key, test, read, before } = await installAgain();
  // The panel reports nothing as missing before the agent calls.
  expect(before.awaited_id).toBeNull();
  const { body: login } = await callOf(key);
  const port = await runAgent(login.username, login.password);
  await panel.services.db
    .updateTable('awaited_servers')
    .set({ call: JSON.stringify({ ...(await stateOf(awaited)).called, api_port: port }) })
    .where('id', '=', awaited)
    .execute();
  expect(await read()).toMatchObject({ awaited_id: awaited, username: 'admin', status: 'active' });
  expect((await readyOf(key)).body.reached).toBe(true);
  const { last_connection: _, latency_ms: __, ...kept } = before;
  expect(await read()).toMatchObject({
    ...kept,
    ...{ username: 'linekeeper', api_port: port, agent_version: expect.any(String) },
    reload: expect.anything(),
  });
  expect((await test()).body.status).toBe('active');
  const { body: audit } = await panel.admin.get('/api/audit?action=server.edit');
  expect(audit.items[0]).toMatchObject({ subject_id: id, actor_id: null });

  const again = await panel.admin.post('/api/servers/awaited', { server_id: id });
  expect(again.body.awaited).toMatchObject({ id: awaited, called: null, found: null });
  const none = await panel.admin.post('/api/servers/awaited', { server_id: awaited });
  expect(none.body.code).toBe('SERVER_NOT_FOUND');
});

test('a command that is run on another machine leaves the server where it is', async () => {
  const { awaited, key, test, read, before } = await installAgain({ host_ip: 'localhost' });
  expect(before).toMatchObject({ host_ip: 'localhost', awaited_id: null });
  await callOf(key);
  const { body } = await readyOf(key);
  expect(body).toMatchObject({
    reached: false,
    message: 'Authentication failed with status: 401',
  });
  expect(await read()).toEqual({ ...before, awaited_id: awaited });
  expect((await test()).body.status).toBe('active');
});

test('guessed keys are limited by the network that they come from', async () => {
  for (let guess = 0; guess < 20; guess++) await callOf(`guess ${guess}`);
  expect((await callOf('one more')).status).toBe(429);
});

test('neither key nor password is stored as it is', async () => {
  const { key } = await awaitAgent();
  const { body } = await callOf(key);
  const dump = await dumpText(panel.services.db);
  expect(dump).not.toContain(key);
  expect(dump).not.toContain(body.password);
});
