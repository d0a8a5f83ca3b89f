import { addMonths, formatDay } from '@linekeeper/contract/dates.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { expectBalancedBooks } from '../../../testing/ledger/ledger.ts';
import { newLine, readServerFiles } from '../../../testing/lines.ts';
import {
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';

let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let other: Awaited<ReturnType<typeof startTestAgent>>;
let otherServer: string;
let server: string;
let seller: TestAccount;
beforeAll(async () => {
  [agent, other] = await Promise.all([startTestAgent(), startTestAgent()]);
  panel = await startTestPanel();
  otherServer = (await panel.addServer(other.url, 'Other')).id;
  server = (await panel.addServer(agent.url, 'Main')).id;
  seller = await panel.reseller({ credits: 1000 });
});
afterAll(async () => {
  await panel?.stop();
  await Promise.all([agent?.close(), other?.close()]);
});

async function sell(username: string, more: Record<string, unknown> = {}) {
  const { body } = await seller.client.post(
    '/api/lines',
    newLine(username, { server_id: server, ...more }),
  );
  return body.line;
}

const edit = (id: string, body: object, client = seller.client) =>
  client.patch(`/api/lines/${id}`, body);

const everyText = {
  live_channel: 'Sport',
  info: 'Box in the cellar',
  user_value: '17',
  name: 'Żółć Müller',
  company: 'São & Söhne',
  role: 'Wholesale',
  avatar_url: 'https://a.example/a.png',
  email: 'anna@example.com',
  notes: 'Pays in cash\nand late',
  protocol: 'newcamd',
  host_port: ['a.example:12000', '[2001:db8::1]:15000'],
};

test('everything that is written about a line can be changed, and is not pushed', {
  tags: ['spec:4.8', 'spec:7.13'],
}, async () => {
  const line = await sell('described');
  const { status, body } = await edit(line.id, { ...everyText, status: 'VIP' });
  expect(status).toBe(200);
  expect(body).toEqual({
    job_id: null,
    cost: 0,
    credits: 998,
    sync: { ok: true, message: null },
    sync_finding: null,
    line: {
      ...line,
      ...everyText,
      customer: { ...line.customer, name: everyText.name, note: everyText.notes },
      status: [{ label: 'VIP', color: 'info' }],
      updated_at: expect.any(String),
    },
  });
  expect((await seller.client.get(`/api/lines/${line.id}`)).body).toEqual(body.line);
});

test.each(['', null])('%j takes a text away', { tags: ['spec:3.11'] }, async (none) => {
  const line = await sell(`cleared-${none}`, everyText);
  const texts = Object.keys(everyText).filter((field) => !/protocol|host_port/.test(field));
  const { body } = await edit(line.id, Object.fromEntries(texts.map((field) => [field, none])));
  const { live_channel, info, ...rest } = Object.fromEntries(
    texts.map((field) => [field, body.line[field]]),
  );
  expect([live_channel, info]).toEqual(['Info', 'Info']);
  expect(new Set(Object.values(rest))).toEqual(new Set([null]));
});

test.each([
  ['active', 'success'],
  ['Inactive', 'warning'],
  ['EXPIRED', 'error'],
  ['on holiday', 'info'],
])('the status %s is shown as %s', { tags: ['spec:3.19'] }, async (label, color) => {
  const line = await sell(`status-${label.replace(' ', '-')}`);
  expect((await edit(line.id, { status: label })).body.line.status).toEqual([{ label, color }]);
  const several = [{ label: 'VIP' }, { label, color }];
  expect((await edit(line.id, { status: several })).body.line.status).toEqual([
    { label: 'VIP', color: 'info' },
    { label, color },
  ]);
});

test('a new password reaches the server; the same one is not pushed again', {
  tags: ['spec:4.11'],
}, async () => {
  const line = await sell('secretive');
  const { body } = await edit(line.id, { password: 'brand-new' });
  expect(body.sync).toEqual({ ok: true, message: null });
  expect((await readServerFiles(agent)).cccam).toContain('F: secretive brand-new\n');
  expect((await seller.client.post(`/api/lines/${line.id}/reveal`)).body.password).toBe(
    'brand-new',
  );
  const revision = () =>
    panel.services.db
      .selectFrom('server_accounts')
      .select('revision')
      .where('username', '=', 'secretive')
      .executeTakeFirst();
  const before = await revision();
  await edit(line.id, { password: 'brand-new' });
  expect(await revision()).toEqual(before);
});

test('a later expiry is paid like a renewal, in either form; the same one is not', async () => {
  const line = await sell('longer');
  const { credits } = (await seller.client.get('/api/me')).body;
  const day = addMonths(line.expiry_date, 13);
  const { body } = await edit(line.id, { expiry_date: formatDay(day), notes: 'thirteen' });
  expect(body).toMatchObject({ cost: 12, credits: credits - 12, line: { expiry_date: day } });
  expect((await readServerFiles(agent)).oscam).toMatch(new RegExp(`longer\\b[^[]*${day}`));
  expect((await edit(line.id, { expiry_date: day })).body).toMatchObject({ cost: 0 });
  expect((await edit(line.id, { expiry_date: '2026-13-01' })).body.message).toBe(
    'Invalid expiry date format. Expected DD-MM-YYYY format.',
  );
});

describe('a new username', () => {
  test('moves the account on the server and frees the old name', async () => {
    const line = await sell('caterpillar');
    const { body } = await edit(line.id, { username: 'butterfly' });
    expect(body).toMatchObject({
      sync: { ok: true, message: null },
      line: { id: line.id, username: 'butterfly', sync_state: 'synced' },
    });
    const { cccam } = await readServerFiles(agent);
    expect(cccam).toContain('F: butterfly pw-caterpillar\n');
    expect(cccam).not.toContain('F: caterpillar ');
    expect((await sell('caterpillar')).username).toBe('caterpillar');
    expect((await readServerFiles(agent)).cccam).toContain('F: caterpillar pw-caterpillar\n');
  });

  test('that is taken, empty or unfit is refused and nothing else of the change is made', async () => {
    await sell('occupied');
    const line = await sell('mover');
    for (const [username, status, message] of [
      ['occupied', 409, 'Username already exists. Please choose a different username.'],
      [' ', 422, 'Username is required'],
      [
        'two words',
        422,
        'The username contains a character that card servers do not accept: space',
      ],
    ]) {
      const change = { username, notes: 'lost', expiry_date: addMonths(line.expiry_date, 1) };
      expect(await edit(line.id, change)).toMatchObject({ status, body: { message } });
    }
    expect((await seller.client.get(`/api/lines/${line.id}`)).body).toEqual(line);
    await expectBalancedBooks(panel.services.db);
  });
});

describe('moving', () => {
  test('to another server leaves the line on that one alone', async () => {
    const line = await sell('wanderer');
    const { body } = await edit(line.id, { server_id: otherServer }, panel.admin);
    expect(body).toMatchObject({
      cost: 0,
      sync: { ok: true, message: null },
      line: { server_id: otherServer, sync_state: 'synced' },
    });
    expect((await readServerFiles(other)).cccam).toContain('F: wanderer pw-wanderer\n');
    expect((await readServerFiles(agent)).cccam).not.toContain('wanderer');
  });

  test('changes the address that was the old server’s, and no other', async () => {
    const { body } = await panel.admin.post('/api/servers', {
      server_name: 'Elsewhere',
      host_ip: 'else.example',
      port: 15_000,
      username: 'panel',
      password: 'pw',
    });
    const elsewhere = body.server.id;
    await panel.services.db
      .updateTable('cccam_servers')
      .set({ status: 'active' })
      .where('id', '=', elsewhere)
      .execute();
    const line = await sell('addressed', { host_port: ['127.0.0.1:12000', 'mine.example:1'] });
    const moved = await edit(line.id, { server_id: elsewhere }, panel.admin);
    expect(moved.body.line.host_port).toEqual(['else.example:15000', 'mine.example:1']);
  });

  test('to another owner gives it away', async () => {
    const line = await sell('given');
    const heir = await panel.reseller();
    await heir.client.send('PATCH', '/api/me', { full_name: 'Grażyna Szczęsna' });
    const { body } = await edit(line.id, { owner_id: heir.id }, panel.admin);
    expect(body.line).toMatchObject({
      owner_id: heir.id,
      owner_email: heir.email,
      owner_name: 'Grażyna Szczęsna',
    });
    expect((await seller.client.get(`/api/lines/${line.id}`)).status).toBe(404);
    expect((await heir.client.get(`/api/lines/${line.id}`)).status).toBe(200);
  });

  test.each(['owner_id', 'server_id'])('%s is for administrators', async (field) => {
    const line = await sell(`not-${field}`);
    const target = field === 'owner_id' ? seller.id : otherServer;
    expect(await edit(line.id, { [field]: target })).toMatchObject({
      status: 422,
      body: { message: 'Only an administrator can set this field' },
    });
  });

  test('to nobody, to nowhere or to a server that is not active is refused', async () => {
    const line = await sell('stays');
    const nothing = '01a1fd85-0000-7000-8000-000000000000';
    const { body } = await panel.admin.post('/api/servers', {
      server_name: 'Not active',
      host_ip: '127.0.0.1',
      port: 1,
      username: 'panel',
      password: 'pw',
    });
    for (const [change, status, message] of [
      [{ owner_id: nothing }, 404, 'User not found'],
      [{ server_id: nothing }, 404, 'Server not found'],
      [{ server_id: body.server.id }, 409, 'No active CCcam servers available'],
    ] as const) {
      expect(await edit(line.id, change, panel.admin)).toMatchObject({ status, body: { message } });
    }
    expect((await seller.client.get(`/api/lines/${line.id}`)).body).toEqual(line);
  });
});

test('changes side by side are all made', async () => {
  const line = await sell('busy');
  const changes = [
    { notes: 'n' },
    { name: 'm' },
    { password: 'side-by-side' },
    { expiry_date: addMonths(line.expiry_date, 1) },
    { username: 'busier' },
  ];
  const replies = await Promise.all(changes.map((change) => edit(line.id, change)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect((await seller.client.get(`/api/lines/${line.id}`)).body).toMatchObject({
    notes: 'n',
    name: 'm',
    username: 'busier',
    expiry_date: addMonths(line.expiry_date, 1),
  });
  await eventually(async () => {
    const { cccam } = await readServerFiles(agent);
    expect(cccam).toContain('F: busier side-by-side\n');
    expect(cccam).not.toContain('F: busy ');
  });
});

test('nothing to change changes nothing', async () => {
  const line = await sell('untouched');
  expect((await edit(line.id, {})).body.line).toEqual(line);
});
