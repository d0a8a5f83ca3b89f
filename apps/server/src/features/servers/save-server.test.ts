import { beforeAll, describe, expect, test } from 'vitest';
import { newLine } from '../../testing/lines.ts';
import { startTestAgent, startTestPanel, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await startTestPanel();
});

const complete = {
  server_name: 'Frankfurt 1',
  host_ip: 'cards.example',
  port: 12000,
  username: 'panel',
  password: 'server-canary-77',
};

async function add(more: object = {}) {
  const reply = await panel.admin.post('/api/servers', { ...complete, ...more });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body.server;
}

describe('a new server', () => {
  test('starts inactive, with the defaults of the product', {
    tags: ['spec:3.20', 'spec:3.22', 'spec:4.2', 'spec:7.15', 'spec:9.9'],
  }, async () => {
    const { body: me } = await panel.admin.get('/api/me');
    const server = await add();
    expect(server).toEqual({
      id: expect.any(String),
      agent_version: null,
      kind: 'api',
      tls_fingerprint: null,
      plain_http_allowed: false,
      presence: null,
      agent_outdated: false,
      same_machine: [],
      awaited_id: null,
      server_name: 'Frankfurt 1',
      host_ip: 'cards.example',
      port: 12000,
      public_host: null,
      public_port: null,
      des_key: null,
      newcamd_ports: [],
      api_port: 3000,
      api_scheme: 'http',
      username: 'panel',
      protocol: 'CCcam',
      status: 'inactive',
      status_message: 'Failed to connect to server: host not found or not allowed',
      status_finding: { code: 'NOT_REACHED', data: { reason: 'host not found or not allowed' } },
      latency_ms: null,
      line_count: 0,
      pushes_due: 0,
      deletions_due: 0,
      accounts_missing: 0,
      kept_by_hand: 0,
      repair_automatically: false,
      closed_to_new_lines: false,
      max_lines: null,
      reload: null,
      zone: null,
      server_day: null,
      day_message: null,
      day_finding: null,
      user_id: me.id,
      created_at: expect.any(String),
      last_connection: null,
    });
    expect((await panel.admin.get(`/api/servers/${server.id}`)).body).toEqual(server);
  });

  test('takes every choice', async () => {
    const choice = { api_port: 8443, api_scheme: 'https', protocol: 'NewCamd', port: 65_535 };
    expect(await add(choice)).toMatchObject(choice);
    expect(await add({ host_ip: '[2001:db8::1]' })).toMatchObject({ host_ip: '[2001:db8::1]' });
  });

  test.each([
    [{}, 'Missing required fields: server_name, host_ip, port, username, password'],
    [{ ...complete, host_ip: '', port: undefined }, 'Missing required fields: host_ip, port'],
    [{ ...complete, password: '' }, 'Missing required fields: password'],
    [{ ...complete, port: 0 }, 'CCcam port must be between 1 and 65535'],
    [{ ...complete, port: 65_536 }, 'CCcam port must be between 1 and 65535'],
    [{ ...complete, port: '12000' }, 'CCcam port must be between 1 and 65535'],
    [{ ...complete, api_port: 0 }, 'Port must be between 1 and 65535'],
    [{ ...complete, host_ip: 'cards.example:8080' }, 'Enter a host name or an IP address'],
  ])('%j is refused: %s', { tags: ['spec:5.13'] }, async (body, message) => {
    const before = (await panel.admin.get('/api/servers')).body.total;
    expect(await panel.admin.post('/api/servers', body)).toMatchObject({
      status: 422,
      body: { message },
    });
    expect((await panel.admin.get('/api/servers')).body.total).toBe(before);
  });

  test.each([
    '127.1',
    '0x7f.0.0.1',
    '2130706433',
    '127.0.0.01',
    '256.1.1.1',
    '[::1',
    '::1%eth0',
    'http://cards.example',
    'cards.example/',
    'cards.example?x',
    'user@cards.example',
    'cards..example',
    '-cards.example',
    'cards_1.example',
    'kärten.example',
    'cards.example\u0000',
    'a b',
  ])('cannot stand at %j, nor be moved there', async (host_ip) => {
    const { id } = await add();
    for (const reply of [
      await panel.admin.post('/api/servers', { ...complete, host_ip }),
      await panel.admin.patch(`/api/servers/${id}`, { host_ip }),
    ]) {
      expect(reply.status).toBe(422);
      expect(Object.keys(reply.body.fields)).toEqual(['host_ip']);
    }
    expect((await panel.admin.get(`/api/servers/${id}`)).body.host_ip).toBe(complete.host_ip);
  });
});

describe('what receivers are told', () => {
  const receivers = {
    public_host: 'fra1.lines.example',
    public_port: 12001,
    des_key: '0a0b0c0d0e0f1011121314151617',
    newcamd_ports: [
      { port: 15000, caid: '0b00', provid: '00ab12' },
      { port: 15001, caid: '1802' },
    ],
  };

  test('is stored in small letters, without blanks, and can be changed and emptied', async () => {
    const typed = {
      public_host: ' fra1.lines.example ',
      public_port: 12001,
      des_key: '0A 0B 0C 0D 0E 0F 10 11 12 13 14 15 16 17',
      newcamd_ports: [
        { port: 15000, caid: '0B00', provid: '00AB12' },
        { port: 15001, caid: '1802' },
      ],
    };
    const { id } = await add(typed);
    const path = `/api/servers/${id}`;
    expect((await panel.admin.get(path)).body).toMatchObject(receivers);
    const moved = [{ port: 15001, caid: '0500' }];
    const { body } = await panel.admin.patch(path, { newcamd_ports: moved });
    expect(body.server).toMatchObject({ ...receivers, newcamd_ports: moved });
    const none = { public_host: null, public_port: null, des_key: null, newcamd_ports: [] };
    expect((await panel.admin.patch(path, none)).body.server).toMatchObject(none);
    expect((await add(none)).newcamd_ports).toEqual([]);
  });

  test.each([
    [{ public_host: '' }, 'public_host'],
    [{ public_host: 'fra1.lines.example:12000' }, 'public_host'],
    [{ public_host: 'http://fra1.lines.example' }, 'public_host'],
    [{ public_host: 'fra1.lines.example,two.example' }, 'public_host'],
    [{ public_host: 'fra\u200b1.lines.example' }, 'public_host'],
    [{ public_port: 0 }, 'public_port'],
    [{ public_port: 65_536 }, 'public_port'],
    [{ des_key: '0102' }, 'des_key'],
    [{ des_key: '010203040506070809101112131g' }, 'des_key'],
    [{ newcamd_ports: [{ port: 0, caid: '0b00' }] }, 'newcamd_ports.0.port'],
    [{ newcamd_ports: [{ port: 15000, caid: 'b00' }] }, 'newcamd_ports.0.caid'],
    [{ newcamd_ports: [{ port: 15000, caid: '0b00', provid: '1' }] }, 'newcamd_ports.0.provid'],
    [
      { newcamd_ports: ['0b00', '1802'].map((caid) => ({ port: 15000, caid })) },
      'newcamd_ports.1.port',
    ],
    [
      {
        newcamd_ports: Array.from({ length: 65 }, (_, port) => ({ port: port + 1, caid: '0b00' })),
      },
      'newcamd_ports',
    ],
  ])('%j is refused', async (more, field) => {
    const { id } = await add(receivers);
    for (const reply of [
      await panel.admin.post('/api/servers', { ...complete, ...more }),
      await panel.admin.patch(`/api/servers/${id}`, more),
    ]) {
      expect(reply.status).toBe(422);
      expect(Object.keys(reply.body.fields)).toEqual([field]);
    }
    expect((await panel.admin.get(`/api/servers/${id}`)).body).toMatchObject(receivers);
  });
});

describe('the password of a server', () => {
  test('is never returned and is stored sealed', { tags: ['spec:3.20'] }, async () => {
    const { id } = await add();
    const replies = await Promise.all([
      panel.admin.get('/api/servers?limit=100'),
      panel.admin.get(`/api/servers/${id}`),
      panel.admin.get('/api/servers/choices'),
      panel.admin.patch(`/api/servers/${id}`, { username: 'other' }),
    ]);
    for (const { status, body } of replies) {
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain(complete.password);
      expect(JSON.stringify(body)).not.toContain('"password"');
      expect(JSON.stringify(body)).not.toContain('v1:');
    }
    expect(await storedPassword(id)).toBe(complete.password);
  });

  test('can be changed, and stays where it is not mentioned', async () => {
    const { id } = await add();
    await panel.admin.patch(`/api/servers/${id}`, { password: 'a new one' });
    await panel.admin.patch(`/api/servers/${id}`, { server_name: 'Renamed' });
    expect(await storedPassword(id)).toBe('a new one');
  });

  async function storedPassword(id: string): Promise<string> {
    const { password } = await panel.services.db
      .selectFrom('cccam_servers')
      .select('password')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(password).toMatch(/^v1:/);
    return panel.services.secrets.open(password, id);
  }
});

describe('editing', () => {
  test('changes what is given and nothing else', { tags: ['spec:7.15'] }, async () => {
    const server = await add();
    const { status, body } = await panel.admin.patch(`/api/servers/${server.id}`, {
      server_name: '  Berlin  ',
      port: 15000,
    });
    expect(status).toBe(200);
    expect(body.server).toEqual({ ...server, server_name: 'Berlin', port: 15000 });
  });

  test.each([
    [{ port: 0 }, 'Port must be between 1 and 65535'],
    [{ port: 65_536 }, 'Port must be between 1 and 65535'],
    [{ port: null }, 'Port must be between 1 and 65535'],
    [{ api_port: 99_999 }, 'Port must be between 1 and 65535'],
    [{ server_name: '' }, 'Server name cannot be empty'],
    [{ server_name: '   ' }, 'Server name cannot be empty'],
    [{ host_ip: 'http://cards.example' }, 'Enter a host name or an IP address'],
  ])('%j is refused: %s', { tags: ['spec:5.15', 'spec:5.16'] }, async (changes, message) => {
    const server = await add();
    expect(await panel.admin.patch(`/api/servers/${server.id}`, changes)).toMatchObject({
      status: 422,
      body: { message },
    });
    expect((await panel.admin.get(`/api/servers/${server.id}`)).body).toEqual(server);
  });

  test('another address is untested: the server is inactive until a test finds it', async () => {
    for (const change of [{ host_ip: 'else.example' }, { api_port: 4000 }]) {
      const server = await add();
      await panel.services.db
        .updateTable('cccam_servers')
        .set({ status: 'active', latency_ms: 5 })
        .where('id', '=', server.id)
        .execute();
      const path = `/api/servers/${server.id}`;
      const renamed = await panel.admin.patch(path, { server_name: 'Renamed' });
      expect(renamed.body.server.status).toBe('active');
      const respelled = await panel.admin.patch(path, { host_ip: 'Cards.EXAMPLE' });
      expect(respelled.body.server).toMatchObject({ host_ip: 'Cards.EXAMPLE', status: 'active' });
      const { body } = await panel.admin.patch(path, change);
      expect(body.server).toMatchObject({ ...change, status: 'inactive', latency_ms: null });
    }
  });

  test('cannot make a server active or move it to another account', async () => {
    const server = await add();
    const { body } = await panel.admin.patch(`/api/servers/${server.id}`, {
      status: 'active',
      user_id: crypto.randomUUID(),
      line_count: 7,
    });
    expect(body.data.field_codes).toEqual({
      status: 'UNKNOWN_FIELD',
      user_id: 'UNKNOWN_FIELD',
      line_count: 'UNKNOWN_FIELD',
    });
    expect((await panel.admin.get(`/api/servers/${server.id}`)).body).toEqual(server);
  });

  test('of a server that is not there, or no server id, is refused', async () => {
    const path = `/api/servers/${crypto.randomUUID()}`;
    for (const reply of [
      await panel.admin.patch(path, { port: 1 }),
      await panel.admin.get(path),
      await panel.admin.delete(path),
      await panel.admin.post(`${path}/test`),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { message: 'Server not found' } });
    }
    expect(await panel.admin.get('/api/servers/42')).toMatchObject({
      status: 422,
      body: { message: 'Invalid server ID' },
    });
  });
});

test('a server with lines is not deleted; an empty one is', { tags: ['spec:7.15'] }, async () => {
  const agent = await startTestAgent();
  const { id } = await panel.addServer(agent.url, 'With lines');
  for (const name of ['one', 'two']) {
    await panel.admin.post('/api/lines', newLine(name, { server_id: id }));
  }
  expect(await panel.admin.delete(`/api/servers/${id}`)).toMatchObject({
    status: 409,
    body: { code: 'SERVER_HAS_LINES', message: 'This server still has 2 lines. Move them first.' },
  });
  expect((await panel.admin.get(`/api/servers/${id}`)).body.line_count).toBe(2);

  const empty = await add();
  expect((await panel.admin.delete(`/api/servers/${empty.id}`)).body).toEqual({ success: true });
  expect((await panel.admin.get(`/api/servers/${empty.id}`)).status).toBe(404);
  await agent.close();
});

describe('the list', () => {
  test('searches, filters and sorts; the longest name’s cursor is taken back', {
    tags: ['spec:7.16'],
  }, async () => {
    const longest = 'ż'.repeat(200);
    await add({ server_name: longest });
    await add({ server_name: `${longest.slice(1)}y`, host_ip: '10.9.8.7' });
    const get = async (query: string) => (await panel.admin.get(`/api/servers?${query}`)).body;
    expect((await get('q=9.8.7')).items).toHaveLength(1);
    expect((await get('q=%25')).items).toEqual([]);
    expect((await get('status=error')).items).toEqual([]);
    const either = (await get('status=error,inactive&limit=100')).items;
    expect(either).toEqual((await get('status=inactive&limit=100')).items);
    expect(either.length).toBeGreaterThan(1);
    expect((await panel.admin.get('/api/servers?status=gone')).status).toBe(422);

    const first = await get('sort=-server_name&limit=1');
    expect(first.items[0].server_name).toBe(longest);
    const second = await get(`sort=-server_name&limit=1&cursor=${first.next_cursor}`);
    expect(second.items?.[0].server_name).toBe(`${longest.slice(1)}y`);
  });
});

test('those who sell are offered names, status and whether lines are taken; all else is for administrators', async () => {
  const { client } = await panel.reseller();
  const { body: choices } = await client.get('/api/servers/choices');
  expect(choices.length).toBeGreaterThan(0);
  for (const choice of choices) {
    const { host_port, des_key, newcamd_ports, ...offered } = choice;
    expect([host_port, des_key, newcamd_ports]).toEqual([null, null, []]);
    expect(Object.keys(offered).sort()).toEqual([
      'id',
      'protocol',
      'server_name',
      'status',
      'takes_no_lines',
    ]);
  }
  const { body: all } = await panel.admin.get('/api/servers?limit=100');
  expect(choices.map(({ id }: { id: string }) => id)).toEqual(
    all.items.map(({ id }: { id: string }) => id),
  );

  const path = `/api/servers/${choices[0].id}`;
  for (const reply of [
    await client.get('/api/servers'),
    await client.get(path),
    await client.post('/api/servers', complete),
    await client.patch(path, { port: 1 }),
    await client.delete(path),
    await client.post(`${path}/test`),
    await client.post('/api/servers/test', complete),
    await client.post('/api/servers/check'),
  ]) {
    expect(reply).toMatchObject({
      status: 403,
      body: {
        code: 'ADMIN_ONLY',
        message:
          'You do not have permission to access this page. This page is only accessible to administrators.',
      },
    });
  }
  const user = await panel.reseller({ credits: 0, group_id: '3' });
  expect((await user.client.get('/api/servers/choices')).status).toBe(403);
});
