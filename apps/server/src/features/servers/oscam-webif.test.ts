import { X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { addMonths } from '@linekeeper/contract/dates.ts';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  TEST_CERTIFICATE,
  TEST_KEY,
} from '../../domain/machines/card-server/testing/certificate.ts';
import {
  addOscamServer,
  type OscamServer,
  startOscamServer,
  webifServer,
} from '../../testing/card-servers/oscam-server.ts';
import { eventually } from '../../testing/eventually.ts';
import { undoBulk } from '../../testing/jobs.ts';
import { newLine } from '../../testing/lines.ts';
import { checkById } from '../../testing/loops.ts';
import {
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';

let panel: TestPanel;
let oscam: OscamServer;
let server: string;
let seller: TestAccount;
let names = 0;
beforeAll(async () => {
  [panel, oscam] = await Promise.all([startTestPanel(), startOscamServer()]);
  server = (await addOscamServer(panel, oscam)).id;
  seller = await panel.reseller({ credits: 1000 });
});
beforeEach(() => {
  Object.assign(oscam.faults, {
    readOnly: false,
    cannotWrite: undefined,
    forbids: false,
    isSilent: false,
  });
});

const synced = { ok: true, message: null };
async function sell(more: Record<string, unknown> = {}, client = seller.client) {
  names += 1;
  const line = newLine(`osc${names}`, { server_id: server, password: 'geheim1', ...more });
  const { status, body } = await client.post('/api/lines', line);
  return { status, body, ...body.line } as {
    status: number;
    body: Record<string, never>;
    id: string;
    username: string;
    expiry_date: string;
  };
}
const act = (id: string, action: string, body: object = {}) =>
  seller.client.post(`/api/lines/${id}/${action}`, body);

describe('a line on an OSCam without an agent', () => {
  test('that waits behind others is pending and not said to have failed', async () => {
    oscam.faults.isSilent = true;
    const sold = await Promise.all([sell(), sell(), sell()]);
    const lines = () => Promise.all(sold.map(({ id }) => seller.client.get(`/api/lines/${id}`)));
    // The push that was attempted has failed; the others have not been attempted.
    const states = (await lines()).map(({ body }) => body.sync_state);
    expect(states).toContain('pending');
    oscam.faults.isSilent = false;
    await eventually(async () => {
      expect((await lines()).map(({ body }) => body.sync_state)).toEqual(sold.map(() => 'synced'));
    });
  });

  test('is sold, renewed, given a password, suspended, resumed and deleted', async () => {
    const line = await sell();
    expect(line.body).toMatchObject({ sync: synced });
    const account = () => oscam.account(line.username);
    expect(account()).toMatchObject({
      pwd: 'geheim1',
      disabled: '0',
      expdate: line.expiry_date,
      group: '1',
      description: `Linekeeper ${line.id}`,
    });
    expect(oscam.accepts(line.username, 'geheim1')).toBe(true);

    const renewed = await act(line.id, 'renew', { subscription_months: 1 });
    expect(renewed.body.sync).toEqual(synced);
    expect(account()?.expdate).toBe(addMonths(line.expiry_date, 1));

    await seller.client.patch(`/api/lines/${line.id}`, { password: 'geheim2' });
    expect([
      oscam.accepts(line.username, 'geheim1'),
      oscam.accepts(line.username, 'geheim2'),
    ]).toEqual([false, true]);

    expect((await act(line.id, 'suspend')).body.sync).toEqual(synced);
    expect(account()).toMatchObject({ disabled: '1', pwd: 'geheim2' });
    expect(oscam.accepts(line.username, 'geheim2')).toBe(false);
    expect((await act(line.id, 'resume')).body.sync).toEqual(synced);
    expect(oscam.accepts(line.username, 'geheim2')).toBe(true);

    expect((await seller.client.delete(`/api/lines/${line.id}`)).body.sync).toEqual(synced);
    expect(account()).toBeUndefined();
  });

  test('keeps what the operator set in OSCam, and their words', async () => {
    const line = await sell();
    const own = { group: '2,3', services: 'sport,!adult', uniq: '1', cccmaxhops: '2' };
    await oscam.edit(line.username, { ...own, max_connections: '2' });
    await oscam.edit(line.username, { description: `Linekeeper ${line.id} | third floor` });
    await act(line.id, 'renew', { subscription_months: 1 });
    await seller.client.patch(`/api/lines/${line.id}`, { password: 'geheim3' });
    await act(line.id, 'suspend');
    await act(line.id, 'resume');
    const kept = {
      ...own,
      max_connections: '2',
      description: `Linekeeper ${line.id} | third floor`,
    };
    expect(oscam.account(line.username)).toMatchObject({ ...kept, pwd: 'geheim3' });

    const username = `${line.username}new`;
    const { body } = await seller.client.patch(`/api/lines/${line.id}`, { username });
    expect(body.sync).toEqual(synced);
    expect(oscam.account(username)).toMatchObject({ ...kept, pwd: 'geheim3' });
    await eventually(async () => expect(oscam.account(line.username)).toBeUndefined());
  });

  test('has its sessions ended, and the panel says where OSCam hides them', async () => {
    const [line, idle] = [await sell(), await sell()];
    const client = { ip: '198.51.100.7', login: '2026-11-27T20:00:00+0000' };
    oscam.clients.push({ ...client, user: line.username });
    expect((await act(line.id, 'end-sessions')).body).toMatchObject({ ended: 1, finding: null });
    expect(oscam.clients).toEqual([]);
    oscam.clients.push({ ...client, user: idle.username, isIdle: true });
    const { body } = await act(idle.id, 'end-sessions');
    expect(body).toMatchObject({ ended: 0, finding: { data: { said: 'SESSIONS_HIDDEN' } } });
    oscam.clients.length = 0;
  });

  test('is deleted there while it is suspended', async () => {
    const line = await sell();
    await act(line.id, 'suspend');
    expect((await seller.client.delete(`/api/lines/${line.id}`)).body.sync).toEqual(synced);
    expect(oscam.account(line.username)).toBeUndefined();
  });

  test('waits where the operator has an account of this name, and is undone in full', async () => {
    await oscam.edit('taken', { pwd: 'theirs', disabled: '0' });
    const credits = async () => (await seller.client.get('/api/me')).body.credits;
    const before = await credits();
    const sale = newLine('taken', { server_id: server });
    const { status, body } = await seller.client.post('/api/lines', sale);
    expect([status, body.sync_finding.code]).toEqual([201, 'KEPT_BY_HAND']);
    await undoBulk(seller.client, body.job_id);
    expect(await credits()).toBe(before);
    expect(oscam.account('taken')).toMatchObject({ pwd: 'theirs', description: '' });
    expect((await seller.client.post('/api/lines', sale)).body.code).toBe('USERNAME_EXISTS');
  });

  test('waits with the first 20 bytes of an account of the operator’s', async () => {
    const long = 'abcdefghijklmnopqrst';
    await oscam.edit(`${long}x`, { pwd: 'theirs', disabled: '0' });
    const line = newLine(long, { server_id: server });
    const { body } = await seller.client.post('/api/lines', line);
    expect(body.sync_finding.code).toBe('SHARED_BY_HAND');
    expect(oscam.account(long)).toBeUndefined();
  });
});

const faults = [
  ['OSCAM_READ_ONLY', { readOnly: true }],
  ['OSCAM_NOT_WRITTEN', { cannotWrite: 'refused' }],
  ['OSCAM_NOT_WRITTEN', { cannotWrite: 'full' }],
  ['OSCAM_FORBIDDEN', { forbids: true }],
] as const;
test.each(faults)('%s is said, and the line is there when it is over: %j', async (code, fault) => {
  const other = await startOscamServer();
  const { id } = await addOscamServer(panel, other, { server_name: `At fault ${code}` });
  Object.assign(other.faults, fault);
  const line = await sell({ server_id: id });
  expect(line.body).toMatchObject({ sync: { ok: false }, sync_finding: { code } });
  Object.assign(other.faults, {
    readOnly: false,
    cannotWrite: undefined,
    forbids: false,
    isSilent: false,
  });
  await act(line.id, 'sync');
  await eventually(async () => expect(other.accepts(line.username, 'geheim1')).toBe(true));
  expect((await seller.client.delete(`/api/lines/${line.id}`)).body.sync).toEqual(synced);
  await other.stop();
});

describe('a test of the connection', () => {
  const tryOut = async (more: object) =>
    (await panel.admin.post('/api/servers/test', webifServer(oscam, more))).body;

  test('says version, accounts and those of the panel', async () => {
    await oscam.edit('of-the-operator', { pwd: 'x' });
    const line = await sell();
    const tested = await tryOut({});
    expect(tested).toMatchObject({
      status: 'active',
      health: true,
      auth: true,
      version: 'OSCam 2.26.01',
      finding: null,
      oscam: { read_only: false, accounts: oscam.accounts().length },
    });
    expect(tested.oscam.own_accounts).toBeGreaterThan(0);
    expect(tested.oscam.own_accounts).toBeLessThan(tested.oscam.accounts);
    await seller.client.delete(`/api/lines/${line.id}`);
  });

  test('names accounts whose services OSCam does not know, before its first save drops them', async () => {
    const own = await startOscamServer({ services: '[sport]\ncaid = 0500\n' });
    const text = '[account]\nuser = anna\nservices = sport,!cinema\n\n[account]\nuser = bert\n';
    await writeFile(own.file, `${text}services = sport\n`);
    await own.restart();
    const { oscam: said } = (await panel.admin.post('/api/servers/test', webifServer(own))).body;
    const loses = { count: 1, items: [{ username: 'anna', services: '!cinema' }] };
    expect(said).toMatchObject({ accounts: 2, loses });
    await own.edit('bert');
    expect(await readFile(own.file, 'latin1')).not.toContain('cinema');
    expect(
      (await panel.admin.post('/api/servers/test', webifServer(own))).body.oscam,
    ).toMatchObject({ loses: { count: 0, items: [] } });
    await own.stop();
  });

  test('names the wrong password, the address that is not allowed, and another program', async () => {
    expect(await tryOut({ password: 'wrong' })).toMatchObject({
      status: 'error',
      finding: { code: 'OSCAM_SIGN_IN' },
    });
    oscam.faults.forbids = true;
    expect((await tryOut({})).finding.code).toBe('OSCAM_FORBIDDEN');
    oscam.faults.forbids = false;
    const panelPort = Number(new URL(panel.url).port);
    expect((await tryOut({ api_port: panelPort })).finding.code).toBe('NOT_OSCAM');
    const nobody = await tryOut({ api_port: 1 });
    expect(nobody.finding).toEqual({
      code: 'NOT_REACHED',
      data: { reason: 'connection refused' },
    });
  });
});

test('a server is tested when it is added, and open to new lines then', async () => {
  const own = await startOscamServer();
  const added = await panel.admin.post('/api/servers', webifServer(own, { server_name: 'New' }));
  expect(added.body.server).toMatchObject({ status: 'active', closed_to_new_lines: false });
  const away = { ...webifServer(own), server_name: 'Away', api_port: 1 };
  const { body } = await panel.admin.post('/api/servers', away);
  expect(body.server).toMatchObject({
    ...{ status: 'inactive', status_finding: { code: 'NOT_REACHED' } },
    status_message: expect.stringContaining('connection refused'),
  });
  await own.stop();
});

test('a certificate of its own is confirmed before a password is sent, and a changed one again', async () => {
  const own = await startOscamServer({ tls: { key: TEST_KEY, cert: TEST_CERTIFICATE } });
  const https = webifServer(own, { api_scheme: 'https' });
  const tryOut = async (more: object = {}) =>
    (await panel.admin.post('/api/servers/test', { ...https, ...more })).body;
  const fingerprint = new X509Certificate(TEST_CERTIFICATE).fingerprint256;
  expect(await tryOut()).toMatchObject({
    status: 'error',
    tls_fingerprint: fingerprint,
    finding: { code: 'CERTIFICATE_UNKNOWN', data: { fingerprint } },
  });
  const confirmed = 'AB:'.repeat(32).slice(0, -1);
  expect(await tryOut({ tls_fingerprint: confirmed })).toMatchObject({
    finding: { code: 'CERTIFICATE_CHANGED', data: { fingerprint, confirmed } },
  });
  expect([own.requests, own.signIns]).toEqual([[], { admitted: 0, refused: 0 }]);
  expect(await tryOut({ tls_fingerprint: fingerprint.toLowerCase() })).toMatchObject({
    status: 'active',
    tls_fingerprint: null,
  });
  await own.stop();
});

test('an OSCam without a password is reached without one, and an agent never', async () => {
  const open = await startOscamServer({ user: '', password: '' });
  const nobody = { username: '', password: '' };
  const { id, tested } = await addOscamServer(panel, open, { server_name: 'Open', ...nobody });
  expect(tested.status).toBe('active');
  const changed = await panel.admin.patch(`/api/servers/${id}`, { kind: 'api', username: 'agent' });
  expect(changed.body.data.field_codes).toEqual({ password: 'REQUIRED' });
  const { status, body } = await panel.admin.post(
    '/api/servers',
    webifServer(open, { kind: 'api', ...nobody }),
  );
  expect([status, body.code]).toEqual([422, 'MISSING_REQUIRED_FIELDS']);
  const { username: _, password: __, ...unnamed } = webifServer(open, { server_name: 'Unnamed' });
  const without = await panel.admin.post('/api/servers', unnamed);
  expect(without.status).toBe(201);
  const { body: found } = await panel.admin.post(`/api/servers/${without.body.server.id}/test`);
  expect(found.status).toBe('active');
  const agent = await panel.admin.post('/api/servers', { ...unnamed, kind: 'api' });
  expect(agent.body).toMatchObject({
    message: 'Missing required fields: username, password',
    data: { field_codes: { username: 'REQUIRED', password: 'REQUIRED' } },
  });
  await open.stop();
});

test('a port that speaks only https is named, and nothing else is taken for one', async () => {
  const own = await startOscamServer({ tls: { key: TEST_KEY, cert: TEST_CERTIFICATE } });
  const asked = async (to: OscamServer, more: object = {}) =>
    (await panel.admin.post('/api/servers/test', webifServer(to, more))).body.finding?.code;
  expect(await asked(own)).toBe('HTTPS_EXPECTED');
  expect(own.signIns).toEqual({ admitted: 0, refused: 0 });
  expect(await asked(own, { api_scheme: 'https' })).toBe('CERTIFICATE_UNKNOWN');
  const startedAt = performance.now();
  expect(await asked(oscam, { api_scheme: 'https' })).toBe('HTTP_EXPECTED');
  expect(performance.now() - startedAt).toBeLessThan(8000);
  expect(await asked(oscam, { api_port: own.ports.cccam })).not.toBe('HTTPS_EXPECTED');
  await own.stop();
});

/** Runs the check that each server has once a minute. */
async function check(id: string): Promise<void> {
  await checkById(panel.services, id);
}

test('an OSCam that takes no changes still says who is on', async () => {
  const own = await startOscamServer();
  const { id } = await addOscamServer(panel, own, { server_name: 'Read only' });
  const line = await sell({ server_id: id });
  const presence = async () => (await panel.admin.get(`/api/lines/${line.id}`)).body.presence;
  await check(id);
  expect((await presence()).state).toBe('offline');
  own.faults.readOnly = true;
  own.clients.push({ user: line.username, ip: '203.0.113.7', login: '2026-01-01T00:00:00+0000' });
  for (let minute = 0; minute < 3; minute++) await check(id);
  expect((await panel.admin.get(`/api/servers/${id}`)).body).toMatchObject({
    status: 'error',
    status_finding: { code: 'OSCAM_READ_ONLY' },
  });
  expect((await presence()).state).toBe('online');
  await own.stop();
});

test('an OSCam that lost accounts at its start is counted by the next check', async () => {
  let ahead = 0;
  const own = await startOscamServer({ now: () => new Date(Date.now() + ahead) });
  const { id } = await addOscamServer(panel, own, { server_name: 'Restarted' });
  await sell({ server_id: id });
  const missingAfterCheck = async () => {
    await check(id);
    return (await panel.admin.get(`/api/servers/${id}`)).body.accounts_missing;
  };
  // The first check counts in any case, and the next count would follow ten minutes later.
  expect(await missingAfterCheck()).toBe(0);
  await writeFile(own.file, '');
  ahead = 60_000;
  await own.restart();
  expect(await missingAfterCheck()).toBe(1);
  await own.stop();
});

test('west of Greenwich, where OSCam prints the next day, a line is as it was sold', async () => {
  const west = await startOscamServer({ zone: -300 });
  const { id, tested } = await addOscamServer(panel, west, { server_name: 'West' });
  expect(tested.status).toBe('active');
  const line = await sell({ server_id: id });
  expect(line.body).toMatchObject({ sync: synced });
  expect(west.account(line.username)?.expdate).toBe(line.expiry_date);
  expect((await panel.admin.get(`/api/servers/${id}/compare`)).body).toMatchObject({
    same: 1,
    different: { items: [] },
  });
  const stored = (await panel.admin.get(`/api/servers/${id}`)).body;
  // During some hours, the date is different there.
  expect(stored.zone).toBe('-05:00');
  await seller.client.delete(`/api/lines/${line.id}`);
  await west.stop();
});

test('accounts of the operator’s are adopted with their passwords, and never removed', async () => {
  const own = await startOscamServer();
  const { id } = await addOscamServer(panel, own, { server_name: 'In use' });
  await own.edit('anna', { pwd: 'theirs1', expdate: '2030-01-31', group: '7', disabled: '0' });
  await own.edit('bert', { pwd: 'theirs2', expdate: '2030-01-31', disabled: '0' });
  const compared = (await panel.admin.get(`/api/servers/${id}/compare`)).body;
  expect([compared.unknown.items, compared.by_hand.items]).toEqual([[], ['anna', 'bert']]);
  expect(compared.new_group).toBeNull();
  await panel.admin.post('/api/sync/orphans/look', {});
  const { items } = (await panel.admin.get(`/api/sync/orphans?server_id=${id}`)).body;
  const named = items.map(({ username }: { username: string }) => username);
  expect(named).toEqual(['anna', 'bert']);
  expect(items.map(({ can_remove }: { can_remove: boolean }) => can_remove)).toEqual([
    false,
    false,
  ]);
  const removed = await panel.admin.post('/api/sync/orphans/remove', { ids: [items[1].id] });
  expect([removed.status, removed.body.code]).toEqual([409, 'ORPHAN_KEPT']);
  const all = items.map(({ id: orphan }: { id: string }) => orphan);
  const several = await panel.admin.post('/api/sync/orphans/remove', { ids: all });
  expect(several.body.removed).toBe(0);
  expect((await panel.admin.get(`/api/sync?server_id=${id}`)).body.items).toEqual([]);
  const adopted = await panel.admin.post('/api/sync/orphans/adopt', { ids: [items[0].id] });
  expect(adopted.body).toMatchObject({ items: [{ username: 'anna', refusal: null }] });
  await eventually(async () => {
    const { line_id } = adopted.body.items[0];
    expect(own.account('anna')).toMatchObject({
      pwd: 'theirs1',
      group: '7',
      description: `Linekeeper ${line_id}`,
    });
  });
  // All accounts of the panel have this group, so the next account gets it too.
  const again = (await panel.admin.get(`/api/servers/${id}/compare`)).body;
  expect([again.same, again.by_hand.count, again.new_group]).toEqual([1, 1, '7']);
  const sold = await sell({ server_id: id });
  await seller.client.delete(`/api/lines/${sold.id}`);
  const markOf = (line: string) => ({ description: `Linekeeper ${line}`, disabled: '0' });
  await own.edit('of-nobody', markOf(sold.id));
  await own.edit('of-others', markOf(crypto.randomUUID()));
  const unknown = { remove_unknown: true };
  expect((await panel.admin.get(`/api/servers/${id}/compare`)).body).toMatchObject({
    unknown: { items: ['of-nobody'] },
    other_panel: { items: ['of-others'] },
  });
  expect((await panel.admin.post(`/api/servers/${id}/mend`, unknown)).body.removed).toBe(1);
  await eventually(async () => expect(own.account('of-nobody')).toBeUndefined());
  const others = { ...unknown, username: 'of-others' };
  expect((await panel.admin.post(`/api/servers/${id}/mend`, others)).body.removed).toBe(0);
  expect(own.account('of-others')).toBeDefined();
  const bert = { ...unknown, username: 'bert' };
  expect((await panel.admin.post(`/api/servers/${id}/mend`, bert)).body.removed).toBe(0);
  expect(own.account('bert')).toMatchObject({ pwd: 'theirs2' });
  await own.stop();
});

test('a line sold over an account of the operator’s leaves nothing behind when it is deleted', async () => {
  const own = await startOscamServer();
  const { id } = await addOscamServer(panel, own, { server_name: 'Has bob' });
  for (const password of ['another1', 'theirs1']) {
    const username = `bob-${password}`;
    await own.edit(username, { pwd: 'theirs1', expdate: '2030-01-31', group: '7', disabled: '0' });
    const line = newLine(username, { server_id: id, password });
    const sold = (await panel.admin.post('/api/lines', line)).body;
    expect(sold.sync_finding).toMatchObject({ code: 'KEPT_BY_HAND' });
    await panel.admin.delete(`/api/lines/${sold.line.id}`);
    expect((await panel.admin.get(`/api/sync?server_id=${id}`)).body.items).toEqual([]);
    expect((await panel.admin.get(`/api/servers/${id}`)).body.kept_by_hand).toBe(0);
    expect(own.account(username)).toMatchObject({ pwd: 'theirs1', group: '7', disabled: '0' });
  }
  await own.stop();
});

test('an OSCam that is added twice keeps the lines of either', async () => {
  const own = await startOscamServer();
  const { id: one } = await addOscamServer(panel, own, { server_name: 'Once' });
  const line = newLine('twice', { server_id: one, password: 'geheim1' });
  expect((await panel.admin.post('/api/lines', line)).body.sync).toEqual(synced);
  const { id: other } = await addOscamServer(panel, own, {
    server_name: 'Twice',
    host_ip: 'localhost',
  });
  const { body } = await panel.admin.get(`/api/servers/${other}/compare`);
  expect(body).toMatchObject({ offered: true, unknown: { count: 0 }, by_hand: { count: 0 } });
  const mended = await panel.admin.post(`/api/servers/${other}/mend`, { remove_unknown: true });
  expect(mended.body.removed).toBe(0);
  expect(own.accepts('twice', 'geheim1')).toBe(true);
  await own.stop();
});

test('a line has nothing of the deleted one whose name it has, also if it was changed before it was delivered', async () => {
  const own = await startOscamServer();
  const { id } = await addOscamServer(panel, own, { server_name: 'Away meanwhile' });
  const line = (password: string) => newLine('again', { server_id: id, password });
  const first = (await panel.admin.post('/api/lines', line('geheim1'))).body;
  expect(first.sync).toEqual(synced);
  await own.edit('again', { group: '7' });
  own.faults.forbids = true;
  await panel.admin.delete(`/api/lines/${first.line.id}`);
  const second = (await panel.admin.post('/api/lines', line('geheim2'))).body.line;
  await panel.admin.patch(`/api/lines/${second.id}`, { password: 'geheim3' });
  own.faults.forbids = false;
  await eventually(async () => {
    await panel.admin.post(`/api/lines/${second.id}/sync`, {});
    expect(own.accepts('again', 'geheim3')).toBe(true);
  });
  expect(own.account('again')).not.toMatchObject({ group: '7' });
  await own.stop();
});

test('an adopted account that another line left keeps what it may do', async () => {
  const own = await startOscamServer();
  const { id } = await addOscamServer(panel, own, { server_name: 'Restored' });
  const kept = { pwd: 'theirs3', group: '1,2', services: 'sport,!adult', uniq: '1' };
  const description = `Linekeeper ${crypto.randomUUID()} | K-77`;
  await own.edit('left-there', { ...kept, expdate: '2030-01-31', description, disabled: '0' });
  await panel.admin.post('/api/sync/orphans/look', {});
  const { items } = (await panel.admin.get(`/api/sync/orphans?server_id=${id}`)).body;
  const adopted = await panel.admin.post('/api/sync/orphans/adopt', { ids: [items[0].id] });
  expect(adopted.body.sync).toEqual(synced);
  const { line_id } = adopted.body.items[0];
  expect(own.account('left-there')).toMatchObject({
    ...kept,
    description: `Linekeeper ${line_id} | K-77`,
  });
  await own.stop();
});

test('single calls: a test, an account made, changed and deleted', async () => {
  const call = async (name: string, given: object = {}) =>
    (
      await panel.admin.post('/api/servers/test-call', {
        server_id: server,
        call: name,
        arguments: { username: 'try-out', ...given },
      })
    ).body;
  expect(await call('auth')).toMatchObject({ ok: true, reply: { version: 'OSCam 2.26.01' } });
  const added = await call('add', { password: 'first', expiry_date: '2030-01-31' });
  expect(added).toMatchObject({ ok: true, finding: null });
  expect(JSON.stringify(added)).not.toContain('first');
  expect((await call('edit', { password: 'second' })).ok).toBe(true);
  expect(oscam.account('try-out')).toMatchObject({ pwd: 'second', expdate: '2030-01-31' });
  expect((await call('delete')).ok).toBe(true);
  expect(oscam.account('try-out')).toBeUndefined();
});

test('accounts by hand that equal lines are taken over, and others are not', async () => {
  const own = await startOscamServer();
  const { id } = await addOscamServer(panel, own, { server_name: 'Taken over' });
  await own.edit('by-hand', { pwd: 'same-word', group: '5', disabled: '0' });
  await own.edit('other-hand', { pwd: 'theirs', disabled: '0' });
  const lines = ['by-hand', 'other-hand'].map((name) =>
    newLine(name, { server_id: id, password: 'same-word' }),
  );
  for (const line of lines) await panel.admin.post('/api/lines', line);
  const { body } = await panel.admin.post(`/api/servers/${id}/take-over`, {});
  expect(body).toMatchObject({
    taken: 1,
    refused: { items: [{ username: 'other-hand', reason: 'password_differs' }] },
  });
  await eventually(async () => {
    const { items } = (await panel.admin.get(`/api/lines?q=by-hand`)).body;
    expect(items).toMatchObject([{ sync_state: 'synced' }]);
  });
  expect(own.account('by-hand')).toMatchObject({ group: '5', pwd: 'same-word' });
  expect(own.account('other-hand')).toMatchObject({ description: '', pwd: 'theirs' });
  await own.stop();
});

test('a suspended line that is moved leaves nothing behind', async () => {
  const other = await startOscamServer();
  const { id } = await addOscamServer(panel, other, { server_name: 'Left soon' });
  const [off, on] = [await sell({ server_id: id }), await sell({ server_id: id })];
  await act(off.id, 'suspend');
  await panel.admin.post(`/api/servers/${id}/move-lines`, { to_server_id: server });
  await eventually(async () => expect(other.names()).toEqual([]));
  expect(oscam.accepts(on.username, 'geheim1')).toBe(true);
  expect((await act(off.id, 'resume')).body.sync).toEqual(synced);
  expect(oscam.accepts(off.username, 'geheim1')).toBe(true);
  await other.stop();
});

test('a server that changes its kind gets its lines again', async () => {
  const [agent, own] = await Promise.all([startTestAgent(), startOscamServer()]);
  const { id } = await panel.addServer(agent.url, 'Of two kinds');
  const line = await sell({ server_id: id });
  // The agent's file became the file of the operator's OSCam.
  await own.edit(line.username, { pwd: 'geheim1', expdate: line.expiry_date, disabled: '0' });
  const { server_name: _, port: __, ...changes } = webifServer(own);
  const changed = await panel.admin.patch(`/api/servers/${id}`, changes);
  expect(changed.body.server).toMatchObject({ kind: 'oscam_webif', status: 'inactive' });
  await eventually(async () => {
    expect(own.account(line.username)).toMatchObject({ description: `Linekeeper ${line.id}` });
  });
  await agent.close();
  await own.stop();
});

test('a file that a full disk has emptied or cut is not read, which would lose accounts', async () => {
  const full = await startOscamServer();
  const { id } = await addOscamServer(panel, full, { server_name: 'Full' });
  await full.edit('alice', { pwd: 'theirs', disabled: '0' });
  const line = await sell({ server_id: id });
  full.faults.cannotWrite = 'full';
  await act(line.id, 'renew', { subscription_months: 1 });
  const reloaded = (await panel.admin.post(`/api/servers/${id}/reload`, {})).body;
  expect(reloaded).toMatchObject({ applied: false, finding: { code: 'OSCAM_NOT_WRITTEN' } });
  expect(full.names()).toEqual(['alice', line.username]);
  const tested = (await panel.admin.post('/api/servers/test', webifServer(full))).body;
  expect(tested).toMatchObject({ status: 'error', finding: { code: 'OSCAM_NOT_WRITTEN' } });
  const { presence } = (await panel.admin.get(`/api/lines/${line.id}`)).body;
  full.clients.push({ user: line.username, ip: '203.0.113.7', login: '2026-01-01T00:00:00+0000' });
  await check(id);
  const { state } = (await panel.admin.get(`/api/lines/${line.id}`)).body.presence;
  expect([presence.state, state]).toEqual(['unknown', 'online']);
  expect((await act(line.id, 'end-sessions')).body).toMatchObject({ ended: 1, finding: null });
  full.faults.cannotWrite = undefined;
  await full.edit('alice');
  const whole = await readFile(full.file, 'latin1');
  await writeFile(full.file, whole.slice(0, whole.lastIndexOf('[account]')), 'latin1');
  const cut = (await panel.admin.post(`/api/servers/${id}/reload`, {})).body;
  expect(cut).toMatchObject({ applied: false, finding: { code: 'OSCAM_NOT_WRITTEN' } });
  expect(full.names()).toEqual(['alice', line.username]);
  await full.edit('alice');
  // A row that the operator removes from the file is gone once OSCam reads the file.
  const text = await readFile(full.file, 'latin1');
  await writeFile(full.file, text.replace(/\[account\]\s+user\s+= alice[^[]*/, ''), 'latin1');
  const again = (await panel.admin.post(`/api/servers/${id}/reload`, {})).body;
  expect([again.applied, full.names()]).toEqual([true, [line.username]]);
  await full.stop();
});

test('a line whose description the operator has overwritten is still the panel’s', async () => {
  const description = 'Mr Smith, 12 Hill St';
  const [line, off] = [await sell(), await sell()];
  await oscam.edit(line.username, { description, group: '4' });
  const changed = await seller.client.patch(`/api/lines/${line.id}`, { password: 'geheim4' });
  expect(changed.body.sync).toEqual(synced);
  expect(oscam.account(line.username)).toMatchObject({
    pwd: 'geheim4',
    group: '4',
    description: `Linekeeper ${line.id} | ${description}`,
  });
  await act(off.id, 'suspend');
  for (const { id, username } of [line, off]) {
    await oscam.edit(username, { description });
    expect((await seller.client.delete(`/api/lines/${id}`)).body.sync).toEqual(synced);
    expect(oscam.account(username)).toBeUndefined();
  }
});

test('a line whose mark is overwritten keeps what the operator set when it is renamed', async () => {
  const own = { description: 'Mr Smith, 12 Hill St', group: '4', uniq: '1' };
  for (const isOff of [false, true]) {
    const line = await sell();
    if (isOff) await act(line.id, 'suspend');
    await oscam.edit(line.username, own);
    const username = `${line.username}own`;
    await seller.client.patch(`/api/lines/${line.id}`, { username });
    await eventually(async () => expect(oscam.account(line.username)).toBeUndefined());
    expect(oscam.account(username)).toMatchObject({
      ...own,
      disabled: isOff ? '1' : '0',
      description: `Linekeeper ${line.id} | ${own.description}`,
    });
  }
});

test('a suspended line that is renamed keeps what the operator set', async () => {
  const line = await sell();
  const description = `Linekeeper ${line.id} | third floor`;
  const own = { group: '5', services: 'sport,!adult', uniq: '1', description };
  await oscam.edit(line.username, own);
  await act(line.id, 'suspend');
  const username = `${line.username}off`;
  const renamed = await seller.client.patch(`/api/lines/${line.id}`, { username });
  expect(renamed.body.sync).toEqual(synced);
  await eventually(async () => expect(oscam.account(line.username)).toBeUndefined());
  expect(oscam.account(username)).toMatchObject({ ...own, disabled: '1' });
  expect((await act(line.id, 'resume')).body.sync).toEqual(synced);
  expect(oscam.account(username)).toMatchObject({ ...own, disabled: '0', pwd: 'geheim1' });
});

test('a server that gets its lines again by a new way switches suspended ones off, too', async () => {
  const [agent, own] = await Promise.all([startTestAgent(), startOscamServer()]);
  const { id } = await panel.addServer(agent.url, 'Suspended meanwhile');
  const line = await sell({ server_id: id });
  await own.edit(line.username, { pwd: 'geheim1', expdate: line.expiry_date, disabled: '0' });
  await act(line.id, 'suspend');
  const { server_name: _, port: __, ...changes } = webifServer(own);
  await panel.admin.patch(`/api/servers/${id}`, changes);
  await eventually(async () => {
    expect(own.account(line.username)).toMatchObject({
      disabled: '1',
      description: `Linekeeper ${line.id}`,
    });
  });
  await agent.close();
  await own.stop();
});

test('a page of another program is no list without accounts', async () => {
  const own = await startOscamServer();
  const { id } = await addOscamServer(panel, own, { server_name: 'Behind a proxy' });
  own.faults.answersWith = { body: '<html><title>Sign in</title></html>' };
  expect((await panel.admin.get(`/api/servers/${id}/compare`)).body).toMatchObject({
    offered: false,
    finding: { code: 'NOT_OSCAM' },
  });
  await own.stop();
});

test('compare and mend: what is missing, differs, or is on though it is suspended', async () => {
  const [missing, other, off] = [await sell(), await sell(), await sell()];
  await act(off.id, 'suspend');
  await oscam.remove(missing.username);
  await oscam.edit(other.username, { expdate: '2020-01-01' });
  await oscam.edit(off.username, { disabled: '0' });
  const found = (await panel.admin.get(`/api/servers/${server}/compare`)).body;
  expect(found).toMatchObject({
    offered: true,
    missing: { items: [missing.username] },
    different: { items: [{ username: other.username, on_server: '2020-01-01' }] },
    suspended: { items: [off.username] },
  });
  await panel.admin.post(`/api/servers/${server}/mend`, {});
  await eventually(async () => {
    expect(oscam.accepts(missing.username, 'geheim1')).toBe(true);
    expect(oscam.account(other.username)?.expdate).toBe(other.expiry_date);
    expect(oscam.account(off.username)?.disabled).toBe('1');
  });
});
