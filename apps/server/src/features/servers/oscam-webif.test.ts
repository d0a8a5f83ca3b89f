import { addMonths } from '@linekeeper/contract/dates.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { newLine } from '../../testing/lines.ts';
import {
  addOscamServer,
  type OscamServer,
  startOscamServer,
  webifServer,
} from '../../testing/oscam-server.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';

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
afterAll(async () => {
  await panel?.stop();
  await oscam?.stop();
});
beforeEach(() => {
  Object.assign(oscam.faults, { readOnly: false, cannotWrite: undefined, forbids: false });
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

  test('is deleted there while it is suspended', async () => {
    const line = await sell();
    await act(line.id, 'suspend');
    expect((await seller.client.delete(`/api/lines/${line.id}`)).body.sync).toEqual(synced);
    expect(oscam.account(line.username)).toBeUndefined();
  });

  test('is not sold where the operator has an account of this name', async () => {
    await oscam.edit('taken', { pwd: 'theirs', disabled: '0' });
    const before = (await seller.client.get('/api/me')).body.credits;
    const { status, body } = await seller.client.post(
      '/api/lines',
      newLine('taken', { server_id: server }),
    );
    expect([status, body.code]).toEqual([409, 'USERNAME_EXISTS']);
    await eventually(async () => {
      expect((await seller.client.get('/api/me')).body.credits).toBe(before);
    });
    expect(oscam.account('taken')).toMatchObject({ pwd: 'theirs', description: '' });
  });

  test('is not sold with the first 20 bytes of an account of the operator’s', async () => {
    const long = 'abcdefghijklmnopqrst';
    await oscam.edit(`${long}x`, { pwd: 'theirs', disabled: '0' });
    const line = newLine(long, { server_id: server });
    const { body } = await seller.client.post('/api/lines', line);
    expect(body.code).toBe('NAME_SHARES_FIRST_20');
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
  Object.assign(other.faults, { readOnly: false, cannotWrite: undefined, forbids: false });
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
