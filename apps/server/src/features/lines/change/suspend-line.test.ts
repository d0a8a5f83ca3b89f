import { addDays, addMonths } from '@linekeeper/contract/dates.ts';
import { type SqlBool, sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { newLine, readServerFiles } from '../../../testing/lines.ts';
import {
  startTestShop,
  type TestAccount,
  type TestAgent,
  type TestPanel,
} from '../../../testing/panel.ts';

let panel: TestPanel;
let agent: TestAgent;
let server: string;
let seller: TestAccount;
let names = 0;
beforeAll(async () => {
  const shop = await startTestShop();
  ({ panel, agent, serverId: server } = shop);
  seller = await panel.reseller({ credits: 1000 });
  return shop.stop;
});

const suspended = { label: 'suspended', color: 'error' };
const active = { label: 'active', color: 'success' };
const synced = { ok: true, message: null };

async function sell(more: Record<string, unknown> = {}, client = seller.client) {
  const line = newLine(`susp${names++}`, { server_id: server, ...more });
  const { body } = await client.post('/api/lines', line);
  return body.line as { id: string; username: string; expiry_date: string };
}
const act = (id: string, action: string, body: object = {}, client = seller.client) =>
  client.post(`/api/lines/${id}/${action}`, body);
const suspend = (id: string, reason?: string, client = seller.client) =>
  act(id, 'suspend', { reason }, client);
const resume = (id: string, client = seller.client) => act(id, 'resume', {}, client);
const read = async (id: string, client = seller.client) =>
  (await client.get(`/api/lines/${id}`)).body;
const edit = (id: string, body: object, client = seller.client) =>
  client.patch(`/api/lines/${id}`, body);
const isServed = async (name: string) =>
  (await readServerFiles(agent)).cccam.includes(`F: ${name} `);
/** Rows of a name that should be on a server, or for which a change waits. */
const rowsOf = (username: string) =>
  panel.services.db
    .selectFrom('server_accounts')
    .select(['server_id', 'wanted', 'revision'])
    .where('username', '=', username)
    .where(sql<SqlBool>`(wanted is not null or revision > synced_revision)`)
    .execute();

test('a suspended line is off its server, keeps name and expiry, and comes back', {
  tags: ['spec:3.18'],
}, async () => {
  const line = await sell();
  expect(await isServed(line.username)).toBe(true);
  const off = await suspend(line.id, 'not paid');
  expect(off).toMatchObject({
    status: 200,
    body: {
      sync: synced,
      line: {
        status: [suspended],
        sync_state: 'synced',
        on_server: false,
        expiry_date: line.expiry_date,
        suspension: { reason: 'not paid', by: seller.email, can_resume: true },
      },
    },
  });
  expect(Object.keys(off.body).sort()).toEqual(['line', 'sync', 'sync_finding']);
  expect(await read(line.id)).toEqual(off.body.line);
  expect(await isServed(line.username)).toBe(false);
  const same = await seller.client.post('/api/lines', newLine(line.username));
  expect(same).toMatchObject({ status: 409, body: { code: 'USERNAME_EXISTS' } });
  const back = await resume(line.id);
  expect(back.body).toMatchObject({
    sync: synced,
    line: { status: [active], on_server: true, sync_state: 'synced', suspension: null },
  });
  expect(await isServed(line.username)).toBe(true);
});

test('its labels come back as they were, and with paid time not as expired', async () => {
  const labels = [{ label: 'inactive' }, { label: 'VIP' }];
  const line = await sell({ status: labels });
  expect((await suspend(line.id)).body.line.status).toEqual([
    suspended,
    { label: 'VIP', color: 'info' },
  ]);
  const back = (await resume(line.id)).body.line.status;
  expect(back.map(({ label }: { label: string }) => label)).toEqual(['inactive', 'VIP']);
  await edit(line.id, { status: 'expired' });
  await suspend(line.id);
  await act(line.id, 'renew', { subscription_months: 1 });
  expect((await resume(line.id)).body.line.status).toEqual([active]);
});

describe('while a line is suspended', () => {
  test('renewing it is paid, and neither resumes it nor reaches its server', async () => {
    const line = await sell();
    await suspend(line.id);
    const { body } = await act(line.id, 'renew', { subscription_months: 3 });
    expect(body).toMatchObject({
      cost: 4,
      sync: synced,
      line: { status: [suspended], expiry_date: addMonths(line.expiry_date, 3), on_server: false },
    });
    expect(await rowsOf(line.username)).toEqual([]);
    expect(await isServed(line.username)).toBe(false);
    expect((await resume(line.id)).body.line.expiry_date).toBe(addMonths(line.expiry_date, 3));
    const { oscam } = await readServerFiles(agent);
    expect(oscam).toMatch(new RegExp(`${line.username}\\b[^[]*${addMonths(line.expiry_date, 3)}`));
  });

  test('password, expiry, name, server and owner change here only', async () => {
    const line = await sell();
    const { id: elsewhere } = await panel.addServer(agent.url, 'The same machine');
    const heir = await panel.reseller();
    await suspend(line.id, 'moved', panel.admin);
    const username = `${line.username}x`;
    const changes = {
      username,
      password: 'another',
      expiry_date: addDays(line.expiry_date, 40),
      server_id: elsewhere,
      owner_id: heir.id,
    };
    const { body } = await edit(line.id, changes, panel.admin);
    expect(body).toMatchObject({ sync: synced, line: { status: [suspended], on_server: false } });
    expect([...(await rowsOf(line.username)), ...(await rowsOf(username))]).toEqual([]);
    expect(await isServed(username)).toBe(false);
    expect((await act(line.id, 'sync', {}, panel.admin)).body.sync).toEqual(synced);
    expect(await isServed(username)).toBe(false);
    expect((await resume(line.id, panel.admin)).body.sync).toEqual(synced);
    expect((await readServerFiles(agent)).cccam).toContain(`F: ${username} another`);
    expect(await isServed(line.username)).toBe(false);
  });

  test('moving all lines of its server moves it along, off', async () => {
    const there = await panel.addServer(agent.url, 'Left');
    const line = await sell({ server_id: there.id });
    const other = await sell({ server_id: there.id });
    await suspend(line.id);
    await panel.admin.post(`/api/servers/${there.id}/move-lines`, { to_server_id: server });
    await eventually(async () => {
      expect((await read(other.id)).sync_state).toBe('synced');
      expect(await rowsOf(line.username)).toEqual([]);
    });
    expect(await read(line.id)).toMatchObject({ server_id: server, status: [suspended] });
    expect([await isServed(line.username), await isServed(other.username)]).toEqual([false, true]);
  });

  test('nothing that is written for its server can want it', async () => {
    const line = await sell();
    await suspend(line.id);
    const { username, expiry_date } = line;
    const wanted = JSON.stringify({ line_id: line.id, expiry_date });
    await sql`update server_accounts set wanted = ${wanted}::jsonb
      where server_id = ${server} and username = ${username}`.execute(panel.services.db);
    expect(await rowsOf(username)).toEqual([]);
  });

  test('deleting it deletes it', async () => {
    const line = await sell();
    await suspend(line.id);
    expect((await seller.client.delete(`/api/lines/${line.id}`)).body.sync).toEqual(synced);
    expect((await seller.client.get(`/api/lines/${line.id}`)).status).toBe(404);
  });
});

test('a server that does not answer is told later', async () => {
  const dead = await panel.addServer('http://127.0.0.1:1', 'Dead');
  await panel.services.db
    .updateTable('cccam_servers')
    .set({ status: 'active' })
    .where('id', '=', dead.id)
    .execute();
  const line = await sell({ server_id: dead.id });
  const { body } = await suspend(line.id);
  expect(body).toMatchObject({
    sync: { ok: false },
    sync_finding: { data: { operation: 'edit' } },
    line: { status: [suspended], sync_state: 'failed' },
  });
});

test('renewals and suspensions side by side end in one state', async () => {
  const line = await sell();
  const renewals = Array.from({ length: 6 }, () =>
    act(line.id, 'renew', { subscription_months: 1 }),
  );
  const replies = await Promise.all([...renewals, suspend(line.id), suspend(line.id)]);
  const statuses = replies.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 409]);
  await eventually(async () => expect(await rowsOf(line.username)).toEqual([]));
  expect(await isServed(line.username)).toBe(false);
  expect(await read(line.id)).toMatchObject({ status: [suspended], on_server: false });
});

test.each([
  ['suspending', 'suspend'],
  ['resuming', 'resume'],
])('%s twice changes nothing', async (_, action) => {
  const line = await sell();
  if (action === 'suspend') await act(line.id, action);
  const reply = await act(line.id, action);
  expect([reply.status, reply.body.code]).toEqual([409, 'ALREADY_SO']);
});

test('the audit log has both with their reason', async () => {
  const line = await sell();
  await suspend(line.id, 'chargeback');
  await resume(line.id);
  const rows = await panel.services.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'before', 'after', 'data'])
    .where('subject_id', '=', line.id)
    .where('action', 'in', ['line.suspend', 'line.resume'])
    .orderBy('created_at')
    .execute();
  expect(rows).toEqual([
    {
      action: 'line.suspend',
      actor_id: seller.id,
      before: { status: [active] },
      after: { status: [suspended] },
      data: { username: line.username, reason: 'chargeback' },
    },
    expect.objectContaining({ action: 'line.resume', after: { status: [active] } }),
  ]);
});
