// @module-tag thorough
// Changes that were delivered to the agent, but that the card server has not loaded yet.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAgent } from '@linekeeper/agent/agent.ts';
import { today } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { stopServers } from '../../domain/machines/card-server/testing/servers.ts';
import {
  type MemoryCardServer,
  startMemoryCardServer,
} from '../../testing/card-servers/memory-card-server.ts';
import { eventually } from '../../testing/eventually.ts';
import { newLine } from '../../testing/lines.ts';
import { AGENT, startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { metricsOf } from '../../testing/wire/metrics.ts';
import { openEventStream } from '../../testing/wire/streams.ts';
import { ZONE } from '../../testing/zone.ts';

let panel: TestPanel;
let machine: MemoryCardServer;
let id: string;
let name: string;
beforeAll(async () => {
  panel = await startTestPanel();
});
beforeEach(async () => {
  machine = await startMemoryCardServer();
  machine.tells = { zone: ZONE, reload: taken };
  name = `At ${machine.url}`;
  ({ id } = await panel.addServer(machine.url, name));
});
afterEach(async () => {
  await sql`update cccam_servers set status = 'inactive'`.execute(panel.services.db);
  await stopServers();
});

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
const taken = { by: 'webif', ok: true, at: ago(60), ok_at: ago(60), code: null, waiting: 0 };
const waits = (seconds: number) => ({
  ...taken,
  ok: false,
  code: 'WEBIF_SIGN_IN',
  data: { status: 401 },
  waiting: 2,
  since: ago(seconds),
  names: ['annegret.m'],
  cannot_connect: 1,
});
const SIGN_IN =
  'OSCam’s web interface refuses the agent’s sign-in (401). Check OSCAM_WEBIF_USER and OSCAM_WEBIF_PASSWORD on the card server.';

const stored = async () => (await panel.admin.get(`/api/servers/${id}`)).body;
const testNow = () => panel.admin.post(`/api/servers/${id}/test`);
const readAgain = () => panel.admin.post(`/api/servers/${id}/reload`);
const rootCalls = () => machine.calls.filter(({ url }) => url === '/').length;
const sell = (username: string) =>
  panel.admin.post('/api/lines', newLine(username, { server_id: id }));
const found = async (query: string) => {
  const { body } = await panel.admin.get(`/api/servers?${query}`);
  return body.items.map((server: { id: string }) => server.id);
};

test('a test by hand stores what the agent tells', async () => {
  machine.tells = { zone: ZONE, day: undefined, reload: waits(20) };
  await testNow();
  expect(await stored()).toMatchObject({
    status: 'active',
    zone: ZONE,
    reload: {
      by: 'webif',
      ok: false,
      message: SIGN_IN,
      finding: { code: 'NOT_TAKEN', data: { cause: 'WEBIF_SIGN_IN', status: 401 } },
      waiting: 2,
      names: ['annegret.m'],
      cannot_connect: 1,
    },
  });
  expect(await found('finding=not_taken')).toEqual([id]);
  expect(await metricsOf(panel.url)).toMatchObject({
    [`linekeeper_server_changes_not_taken{server="${name}"}`]: 2,
  });

  machine.tells = { zone: ZONE, reload: taken };
  await testNow();
  expect((await stored()).reload).toMatchObject({ ok: true, message: null, finding: null });
  expect(await found('finding=not_taken')).toEqual([]);
  expect(await metricsOf(panel.url)).toMatchObject({
    [`linekeeper_server_changes_not_taken{server="${name}"}`]: 0,
  });
});

test('a server that says nothing of it is as before', async () => {
  machine.tells = {};
  await testNow();
  expect(await stored()).toMatchObject({
    status: 'active',
    reload: null,
    zone: null,
    server_day: null,
    day_finding: null,
    day_message: null,
  });
  const asked = rootCalls();
  expect((await sell('foreign')).body.sync).toEqual({ ok: true, message: null });
  expect(await readAgain()).toMatchObject({
    status: 200,
    body: {
      applied: false,
      message: 'This card server cannot reload its accounts on request.',
      finding: { code: 'RELOAD_NOT_OFFERED' },
      reload: null,
    },
  });
  const { reload_look_at } = await panel.services.db
    .selectFrom('cccam_servers')
    .select('reload_look_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect([rootCalls(), reload_look_at]).toEqual([asked, null]);
  const figures = Object.keys(await metricsOf(panel.url)).filter((figure) =>
    figure.includes('not_taken'),
  );
  expect(figures.join()).not.toContain(name);
});

test('to ask again is no check: it stands in no history, and counts for no outage and no return', async () => {
  const { db } = panel.services;
  await testNow();
  const read = () =>
    db
      .selectFrom('cccam_servers')
      .select([
        'next_check_at',
        'good_checks',
        'failures',
        sql<number>`(select count(*) from server_checks where server_id = ${id})`.as('checks'),
      ])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  await sql`update cccam_servers set next_check_at = now() + interval '1 hour' where id = ${id}`.execute(
    db,
  );
  const [before, asked] = [await read(), rootCalls()];
  await sql`update cccam_servers set reload_look_at = now() where id = ${id}`.execute(db);
  await eventually(() => expect(rootCalls()).toBe(asked + 1));
  expect(await read()).toEqual(before);
});

test('after a sale that was not taken the agent is asked again; it shows by itself and goes by itself', async () => {
  machine.applied = false;
  machine.tells = { zone: ZONE, reload: { ...waits(20), names: ['not-taken'] } };
  const stream = await openEventStream(panel.admin);
  const { body } = await sell('not-taken');
  // The line counts as delivered, because the seller can do nothing about the rest.
  expect(body).toMatchObject({ sync: { ok: true, message: null }, line: { sync_state: 'synced' } });
  const takenOf = async ({ id }: { id: string }) =>
    (await panel.admin.get(`/api/lines/${id}`)).body.taken;
  // The line is waiting from the sale on, even before the panel asks the agent again.
  expect(await takenOf(body.line)).toBe('waiting');
  await eventually(async () => expect((await stored()).reload.waiting).toBe(2));
  await stream.hears({ table: 'cccam_servers', op: 'UPDATE', id });
  expect(await takenOf(body.line)).toBe('waiting');

  // The agent has reported the cause, so the check of each minute is enough.
  machine.tells = { zone: ZONE, reload: taken };
  stream.events.length = 0;
  await panel.services.db
    .updateTable('cccam_servers')
    .set({ next_check_at: new Date(0) })
    .where('id', '=', id)
    .execute();
  await eventually(async () => expect((await stored()).reload.waiting).toBe(0));
  await stream.hears({ table: 'cccam_servers', op: 'UPDATE', id });
  stream.close();
  await eventually(async () => expect(await takenOf(body.line)).toBe('taken'));
  // A waiting change of another line does not concern this line.
  machine.tells = { zone: ZONE, reload: { ...waits(20), names: ['another'], still_names: [] } };
  await testNow();
  expect(await takenOf(body.line)).toBe('taken');
  // More lines are concerned than the agent lists.
  machine.tells = { zone: ZONE, reload: { ...waits(20), waiting: 30, cannot_connect: 25 } };
  await testNow();
  expect(await takenOf(body.line)).toBe('waiting');
});

test('where nobody tells the card server to read, whether it has is not known', async () => {
  const nobody = { by: null, ok: null, at: null, ok_at: null, code: 'NOT_CONFIGURED', waiting: 0 };
  machine.tells = { zone: ZONE, reload: nobody };
  await testNow();
  const { body } = await sell('written');
  expect(body.line).toMatchObject({ sync_state: 'synced', on_server: true, taken: 'unknown' });
  machine.tells = {};
  await testNow();
  expect((await panel.admin.get(`/api/lines/${body.line.id}`)).body.taken).toBeNull();
});

test('while the agent is about it, it is asked again and nothing is said', async () => {
  machine.applied = false;
  machine.tells = {
    zone: ZONE,
    // The oldest change always waits for less than the time after which a delay is reported.
    get reload() {
      return { ...waits(1), ok: null, code: null };
    },
  };
  await sell('under-way');
  await eventually(async () => expect((await stored()).reload.waiting).toBe(2));
  expect((await stored()).reload.finding).toBeNull();
  machine.tells = { zone: ZONE, reload: taken };
  await eventually(async () => expect((await stored()).reload.waiting).toBe(0));
});

test('what is wrong before the next sale goes on being said', async () => {
  machine.tells = { zone: ZONE, reload: { ...waits(0), waiting: 0, names: [] } };
  await testNow();
  expect((await stored()).reload).toMatchObject({ waiting: 0, message: SIGN_IN });
  expect(await found('finding=not_taken')).toEqual([id]);
  machine.tells = { zone: ZONE, reload: waits(0) };
  await testNow();
  expect((await stored()).reload).toMatchObject({ waiting: 2, message: SIGN_IN });
  machine.tells = { zone: ZONE, reload: taken };
  await testNow();
  machine.tells = { zone: ZONE, reload: waits(0) };
  await testNow();
  expect((await stored()).reload).toMatchObject({ waiting: 2, message: null });
});

test('Read again says at once what came of it', async () => {
  machine.applied = false;
  machine.tells = { zone: ZONE, reload: waits(0) };
  expect((await readAgain()).body).toMatchObject({
    applied: false,
    message: SIGN_IN,
    reload: { waiting: 2, message: SIGN_IN },
  });
  expect((await stored()).reload.message).toBe(SIGN_IN);
  expect(machine.calls.at(-1)).toMatchObject({ method: 'POST', url: '/reload', body: {} });

  machine.applied = true;
  machine.tells = { zone: ZONE, reload: taken };
  expect((await readAgain()).body).toMatchObject({ applied: true, message: null, finding: null });
  expect((await stored()).reload.waiting).toBe(0);

  machine.answersWith = { status: 401, json: {} };
  expect((await readAgain()).body).toMatchObject({
    applied: false,
    message: 'Authentication failed with status: 401',
    reload: { waiting: 0 },
  });
  await stopServers();
  expect((await readAgain()).body).toMatchObject({
    applied: false,
    message: 'Failed to connect to server: connection refused',
  });
});

test('with nobody to tell the card server it says so, and needs attention once something waits', async () => {
  const nobody = { by: null, ok: null, code: 'NOT_CONFIGURED', data: {}, waiting: 0 };
  machine.tells = { zone: ZONE, reload: nobody };
  await testNow();
  expect((await stored()).reload).toMatchObject({
    by: null,
    message:
      'Nothing makes the card server reload its accounts. Set OSCAM_WEBIF_URL or RELOAD_COMMAND for its agent.',
  });
  expect(await found('finding=not_taken')).toEqual([]);
  machine.tells = { zone: ZONE, reload: { ...nobody, waiting: 1, since: ago(0) } };
  await testNow();
  expect(await found('finding=not_taken')).toEqual([id]);
});

test('an agent whose day is another than the panel’s is a finding on its server', async () => {
  machine.tells = { zone: 'Pacific/Kiritimati', day: '2001-01-01' };
  await testNow();
  const server = await stored();
  expect(server).toMatchObject({
    status: 'active',
    zone: 'Pacific/Kiritimati',
    server_day: '2001-01-01',
    day_finding: { code: 'ANOTHER_DAY', data: { zone: 'Pacific/Kiritimati', panel_zone: ZONE } },
  });
  expect(server.day_message).toMatch(/^The card server has the date 2001-01-01 \(Pacific/);
  expect(await found('finding=another_day')).toEqual([id]);
  expect(await found('finding=another_day,not_taken')).toEqual([id]);
  expect(await found('finding=not_taken')).toEqual([]);
});

test('an agent whose clock jumps ends lines by its day after an administrator’s word', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'linekeeper-jump-'));
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead * 86_400_000);
  const agent = await startAgent({ dir, ...AGENT, port: 0, timeZone: ZONE, now });
  onTestFinished(async () => {
    await agent.close();
    await rm(dir, { recursive: true });
  });
  const jumping = await panel.addServer(agent.url);
  const url = `/api/servers/${jumping.id}`;
  const findingAfterTest = async () => {
    expect((await panel.admin.post(`${url}/test`)).body.status).toBe('active');
    return (await panel.admin.get(url)).body.day_finding;
  };
  expect(await findingAfterTest()).toBeNull();
  expect((await panel.admin.post(`${url}/confirm-day`, { day: today(ZONE) })).body.code).toBe(
    'DAY_NOT_CONFIRMED',
  );
  ahead = 40;
  const held = await findingAfterTest();
  const day = today(ZONE, now());
  expect(held).toMatchObject({ code: 'DAY_HELD', data: { day, held_day: today(ZONE) } });
  const wrong = await panel.admin.post(`${url}/confirm-day`, { day: '2001-01-01' });
  expect(wrong.body.code).toBe('DAY_NOT_CONFIRMED');
  const confirmed = await panel.admin.post(`${url}/confirm-day`, { day });
  expect(confirmed.body.day_finding).toMatchObject({ code: 'ANOTHER_DAY', data: { day } });
  const { body: audit } = await panel.admin.get('/api/audit?action=server.confirm_day');
  expect(audit.items[0]).toMatchObject({ subject_id: jumping.id });
});

test('what the old machine told goes with its address', async () => {
  machine.tells = { zone: 'Asia/Tokyo', day: '2001-01-01', reload: waits(20) };
  await testNow();
  await panel.admin.patch(`/api/servers/${id}`, { host_ip: 'moved.example' });
  expect(await stored()).toMatchObject({
    reload: null,
    zone: null,
    server_day: null,
    day_finding: null,
  });
});

test('a name that stands by hand on the server is said so, and neither sold, suspended nor deleted there', async () => {
  machine.keptByHand.set('by-hand', 'oscam.user');
  const { body } = await sell('by-hand');
  const kept = (operation: string) => ({
    code: 'KEPT_BY_HAND',
    data: { operation, file: 'oscam.user' },
  });
  const message =
    '“oscam.user” still has a row written by hand for this username. Take it over in the panel, or remove it from the file.';
  expect(body).toMatchObject({
    sync: { ok: false, message },
    sync_finding: kept('add'),
    line: { sync_state: 'failed' },
  });
  // The panel did not change the account, because the panel has not created it.
  expect(machine.calls.map(({ url }) => url)).not.toContain('/edit-user');

  const line = `/api/lines/${body.line.id}`;
  const suspended = await panel.admin.post(`${line}/suspend`, {});
  expect(suspended.body).toMatchObject({
    sync: { ok: false, message },
    line: { sync_state: 'failed', sync_finding: { code: 'KEPT_BY_HAND' } },
  });
  const deleted = await panel.admin.delete(line);
  expect(deleted.body).toMatchObject({
    sync: { ok: false, message },
    sync_finding: kept('delete'),
  });
  const { body: due } = await panel.admin.get('/api/sync?q=by-hand&state=failed');
  expect(due.items).toHaveLength(1);
  expect((await stored()).status).toBe('active');

  machine.keptByHand.clear();
  await panel.admin.post('/api/sync/retry', { all: true });
  await eventually(async () => {
    expect((await panel.admin.get('/api/sync?q=by-hand')).body.items).toEqual([]);
  });
});
