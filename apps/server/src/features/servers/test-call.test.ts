import { mkdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { agentRefusals } from '@linekeeper/contract/agent-refusals.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { closedPort, startApi } from '../../domain/machines/card-server/testing/servers.ts';
import { eventually } from '../../testing/eventually.ts';
import { newLine, readServerFiles } from '../../testing/lines.ts';
import { AGENT, startTestAgent, startTestPanel, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let server_id: string;
beforeAll(async () => {
  agent = await startTestAgent();
  panel = await startTestPanel();
});

const call = (name: string, args: object = {}, target: object = { server_id }) =>
  panel.admin.post('/api/servers/test-call', { ...target, call: name, arguments: args });
const at = (api_port: number, more: object = {}) => ({
  configuration: { host_ip: '127.0.0.1', port: 12000, api_port, ...AGENT, ...more },
});

test('without any active server there is nobody to call', { tags: ['spec:8.11'] }, async () => {
  expect(await call('health', {}, {})).toMatchObject({
    status: 409,
    body: { message: 'No active CCcam servers available' },
  });
  server_id = (await panel.addServer(agent.url)).id;
  expect(await call('health', {}, {})).toMatchObject({ status: 200, body: { ok: true } });
  expect(await call('health', {}, { server_id: crypto.randomUUID() })).toMatchObject({
    status: 404,
    body: { message: 'Server not found' },
  });
});

test('each call shows what was sent and what came back, without a secret', {
  tags: ['spec:7.35'],
}, async () => {
  const url = new URL(agent.url).origin;
  const authorization = 'Basic ••••••••';
  const seen: unknown[] = [];
  const expiry_date = '31-12-2030';
  for (const [name, args] of [
    ['health', {}],
    ['auth', {}],
    ['add', { username: 'probe', password: 'probe-secret', expiry_date }],
    ['edit', { username: 'probe', expiry_date: '2031-01-31' }],
    ['delete', { username: 'probe' }],
  ] as const) {
    const { status, body } = await call(name, args);
    expect([status, body.ok, body.message, body.reply.status], name).toEqual([
      200,
      true,
      null,
      expect.any(Number),
    ]);
    expect(body.ms).toBeGreaterThanOrEqual(0);
    expect(JSON.stringify(body)).not.toMatch(/probe-secret|password"?:"?ägent/);
    seen.push(body.request);
    if (name === 'auth') expect(body.reply.version).toMatch(/^\d/);
    if (name === 'add') expect((await readServerFiles(agent)).cccam).toContain('F: probe ');
  }
  expect(seen).toEqual([
    { method: 'GET', url: `${url}/health`, headers: {}, body: null },
    { method: 'GET', url: `${url}/`, headers: { authorization }, body: null },
    {
      method: 'POST',
      url: `${url}/add-user`,
      headers: { authorization },
      body: { username: 'probe', password: '••••••••', expiryDate: '31-12-2030' },
    },
    {
      method: 'PUT',
      url: `${url}/edit-user`,
      headers: { authorization },
      body: { username: 'probe', newExpiryDate: '31-01-2031' },
    },
    {
      method: 'DELETE',
      url: `${url}/delete-user`,
      headers: { authorization },
      body: { username: 'probe' },
    },
  ]);
  expect((await readServerFiles(agent)).cccam).not.toContain('F: probe ');
  const written = await panel.services.db
    .selectFrom('audit_log')
    .select(['action', 'data'])
    .where('action', 'like', 'server.test_call.%')
    .orderBy('id')
    .execute();
  expect(written.map(({ action, data }) => [action, data])).toEqual(
    ['add', 'edit', 'delete'].map((name) => [`server.test_call.${name}`, { username: 'probe' }]),
  );
});

test.each([
  ['add', {}, 'arguments.username', 'Username and password are required'],
  ['add', { username: 'a' }, 'arguments.password', 'Username and password are required'],
  ['edit', { password: 'p' }, 'arguments.username', 'Username is required'],
  ['delete', { username: ' ' }, 'arguments.username', 'Username is required'],
  [
    'edit',
    { username: 'a' },
    'arguments.password',
    'At least one field to update (password or expiry date) is required',
  ],
  [
    'edit',
    { username: 'a', expiry_date: '31.12.2030' },
    'arguments.expiry_date',
    'Invalid expiry date format. Expected DD-MM-YYYY format.',
  ],
  [
    'add',
    { username: 'a', password: 'p', expiry_date: '31-02-2030' },
    'arguments.expiry_date',
    'Invalid expiry date format. Expected DD-MM-YYYY format.',
  ],
])(
  '%s with %j is refused before it is sent',
  { tags: ['spec:5.8', 'spec:5.9', 'spec:5.10', 'spec:5.12'] },
  async (name, args, field, message) => {
    const { port, connections } = await startApi(() => ({ status: 200, json: {} }));
    const { status, body } = await call(name, args, at(port));
    expect([status, body.message, body.fields]).toEqual([422, message, { [field]: message }]);
    expect(connections()).toBe(0);
  },
);

describe('what a server answers', () => {
  const line = { username: 'a', password: 'p', expiry_date: '31-12-2030' };
  const answering = async (status: number, json: object = {}) =>
    at((await startApi(() => ({ status, json }))).port);

  test.each([
    ['health', 503, {}, 'CCcam server API is not responding. HTTP status: 503'],
    ['auth', 401, {}, 'API Authentication failed. HTTP status: 401'],
    ['add', 500, {}, 'Failed to add user to CCcam server'],
    ['edit', 400, { message: 'No such luck' }, 'No such luck'],
    ['delete', 500, {}, 'Failed to delete user from CCcam server'],
  ])(
    'to %s with %i is told',
    { tags: ['spec:8.12', 'spec:8.13'] },
    async (name, status, json, message) => {
      const { body } = await call(name, line, await answering(status, json));
      expect(body).toMatchObject({ ok: false, reply: { status }, message });
    },
  );

  test('is shown as plain text without the secrets it was told', async () => {
    const echo = `${AGENT.password} <b>and</b> line-secret\u202e`;
    const { body } = await call(
      'add',
      { ...line, password: 'line-secret' },
      await answering(400, { message: echo }),
    );
    expect(body.reply.message).toBe('*** <b>and</b> ***');
  });

  test('is nothing where it cannot be reached, and nobody is asked where settings lack', async () => {
    expect((await call('auth', {}, at(await closedPort()))).body).toMatchObject({
      ok: false,
      reply: null,
      message: 'Failed to connect to server: connection refused',
    });
    expect((await call('auth', {}, { configuration: { port: 1 } })).body).toEqual({
      ok: false,
      request: null,
      reply: null,
      ms: null,
      message: 'Server configuration is incomplete. Missing fields: host_ip, username, password',
      finding: {
        code: 'CONFIGURATION_INCOMPLETE',
        data: { fields: ['host_ip', 'username', 'password'] },
      },
    });
  });
});

test('a line that was tried out on is soon as it was sold', async () => {
  await panel.admin.post('/api/lines', newLine('sold', { server_id }));
  const { configuration } = at(Number(new URL(agent.url).port));
  for (const target of [{ server_id }, { configuration }]) {
    expect((await call('delete', { username: 'sold' }, target)).body.ok).toBe(true);
    await eventually(async () =>
      expect((await readServerFiles(agent)).cccam).toContain('F: sold pw-sold\n'),
    );
    await eventually(async () => expect((await panel.admin.get('/api/sync')).body.total).toBe(0));
  }
});

test('where the newest active server is may be known by whoever sees lines', {
  tags: ['spec:7.43'],
}, async () => {
  const { client } = await panel.reseller({ credits: 0 });
  const user = await panel.reseller({ credits: 0, group_id: '3' });
  expect((await user.client.get('/api/config.php')).status).toBe(403);
  const api_port = Number(new URL(agent.url).port);
  expect((await client.get('/api/config.php')).body).toEqual({ host_ip: '127.0.0.1', api_port });
  expect((await panel.anonymous().get('/api/config.php')).status).toBe(401);
  const { db } = panel.services;
  const newest = { host_ip: 'newest.example', api_port: 3001 };
  for (const more of [newest, { host_ip: 'inactive.example', api_port: 3002 }]) {
    const body = { server_name: more.host_ip, port: 12000, ...AGENT, ...more };
    expect((await panel.admin.post('/api/servers', body)).status).toBe(201);
  }
  const setStatus = (status: 'active' | 'error') => db.updateTable('cccam_servers').set({ status });
  await setStatus('active').where('host_ip', '=', newest.host_ip).execute();
  expect((await client.get('/api/config.php')).body).toEqual(newest);
  await setStatus('error').execute();
  expect(await client.get('/api/config.php')).toMatchObject({
    status: 404,
    body: { message: 'Server not found' },
  });
});

const DAY = '31-12-2030';
test.each([
  ['UNFIT_SPACE', 'add', { username: 'a b', password: 'pw', expiry_date: DAY }, 'Username'],
  ['UNFIT_CONTROL', 'add', { username: 'a', password: 'p\u0001w', expiry_date: DAY }, 'Password'],
  ['UNFIT_BRACE', 'add', { username: 'a{', password: 'pw', expiry_date: DAY }, 'Username'],
  ['UNFIT_HASH', 'add', { username: 'a', password: 'p#w', expiry_date: DAY }, 'Password'],
  ['UNFIT_START', 'add', { username: '[a', password: 'pw', expiry_date: DAY }, 'Username'],
  [
    'UNFIT_LENGTH',
    'add',
    { username: 'a', password: 'p'.repeat(64), expiry_date: DAY },
    'Password',
  ],
  ['USER_NOT_FOUND', 'edit', { username: 'nobody', password: 'pw' }, ''],
  ['USERNAME_EXISTS', 'add', { username: 'twice', password: 'pw', expiry_date: DAY }, ''],
] as const)('the agent names %s beside its sentence', async (said, name, args, field) => {
  if (said === 'USERNAME_EXISTS') await call('add', args);
  const { body } = await call(name, args);
  expect(body).toMatchObject({
    ok: false,
    message: agentRefusals[said].replace('{field}', field),
    finding: {
      code: 'PUSH_REFUSED',
      data: { said, ...(field && { fields: [field.toLowerCase()] }) },
    },
  });
});

test('and WRONG_CREDENTIALS where it is asked by somebody else', async () => {
  const { port, hostname } = new URL(agent.url);
  const configuration = {
    ...{ host_ip: hostname, port: 12000, api_port: Number(port) },
    ...{ username: AGENT.username, password: 'another' },
  };
  const { body } = await call('edit', { username: 'a', password: 'pw' }, { configuration });
  expect(body.finding).toEqual({
    code: 'PUSH_REFUSED',
    data: { operation: 'edit', words: agentRefusals.WRONG_CREDENTIALS, said: 'WRONG_CREDENTIALS' },
  });
});

test('what the agent could not write is named by its file', async () => {
  const file = join(agent.dir, 'oscam.user');
  await rm(file, { force: true });
  await mkdir(file);
  const args = { username: 'unwritten', password: 'pw', expiry_date: DAY };
  const { body } = await call('add', args);
  const { said, file: named = '' } = body.finding.data;
  expect(named).toContain('oscam.user (');
  expect(body.message).toBe(
    agentRefusals[said as keyof typeof agentRefusals].replace('{file}', named),
  );
  await rmdir(file);
});

test('a name that the panel does not know is not taken for one', async () => {
  const { cardServer } = await startApi(() => ({
    status: 400,
    json: { message: 'No', code: 'constructor', data: { file: 7 } },
  }));
  const { body } = await call('edit', { username: 'a', password: 'pw' }, at(cardServer.api_port));
  expect(body.finding.data).toEqual({ operation: 'edit', words: 'No' });
});
