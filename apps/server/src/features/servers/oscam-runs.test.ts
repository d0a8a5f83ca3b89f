import { readFile, writeFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { webifDriver } from '../../domain/machines/card-server/webif/webif-driver.ts';
import {
  addOscamServer,
  type OscamServer,
  startOscamServer,
  WEBIF,
} from '../../testing/card-servers/oscam-server.ts';
import { eventually } from '../../testing/eventually.ts';
import { newLine } from '../../testing/lines.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
let oscam: OscamServer;
let server: string;
let seller: TestAccount;
beforeAll(async () => {
  [panel, oscam] = await Promise.all([
    startTestPanel(),
    // The OSCam pauses before each response, as a stock OSCam does, so that changes have to wait for others.
    startOscamServer({ pollMs: 100 }),
  ]);
  server = (await addOscamServer(panel, oscam)).id;
  // The requests of the check of each minute are not counted.
  await sql`update cccam_servers set next_check_at = now() + interval '1 hour'`.execute(
    panel.services.db,
  );
  seller = await panel.reseller({ credits: 1000 });
});

const sell = async (username: string, more: object = {}) =>
  (await seller.client.post('/api/lines', newLine(username, { server_id: server, ...more }))).body;

describe('changes of an OSCam', () => {
  const count = 24;
  const names = Array.from({ length: count }, (_, index) => `run${index}`);
  let ids: string[] = [];
  beforeEach(() => {
    oscam.requests.length = 0;
    Object.assign(oscam.signIns, { admitted: 0, refused: 0 });
  });

  test('that come together take two requests each, and no new sign-in', async () => {
    const sold = await Promise.all(names.map((name) => sell(name)));
    ids = sold.map(({ line }) => line.id);
    await eventually(async () => {
      const { items } = (await panel.admin.get(`/api/lines?limit=100`)).body;
      const synced = items.filter((line: { sync_state: string }) => line.sync_state === 'synced');
      expect(synced).toHaveLength(count);
    });
    expect(oscam.names()).toEqual(expect.arrayContaining(names));
    expect(oscam.requests.length).toBeLessThanOrEqual(2 * count);
    expect(oscam.requests.filter((path) => path.startsWith('POST'))).toHaveLength(count);
    expect(oscam.signIns.refused).toBe(0);
  });

  test('that end lines do so, too', async () => {
    await Promise.all(ids.map((id) => seller.client.delete(`/api/lines/${id}`)));
    await eventually(() => {
      expect(oscam.names().filter((name) => names.includes(name))).toEqual([]);
    });
    expect(oscam.requests.length).toBeLessThanOrEqual(2 * count);
  });
});

test('changes by two entries of one OSCam, of different health, are made in one run', async () => {
  const own = await startOscamServer({ pollMs: 100 });
  const { port, file } = own;
  const { outbound, stopping } = panel.services;
  const at = { host_ip: '127.0.0.1', api_port: port, api_scheme: 'http' as const };
  const reached = { ...at, username: WEBIF.user, password: WEBIF.password };
  const trust = { tls_fingerprint: null, plain_http_allowed: false };
  const put = (username: string, about: object) =>
    webifDriver(outbound, { ...about, ...reached, ...trust }).put(
      { username, password: 'pw', expiry_date: '2099-12-31', is_suspended: false },
      { onServer: false, signal: stopping.signal },
    );
  const puts = ['a', 'b', 'c'].map((name, index) => put(name, { id: index, failures: index }));
  for (const { ok } of await Promise.all(puts)) expect(ok).toBe(true);
  expect(await readFile(file, 'latin1')).toMatch(/= a\n[\s\S]*= b\n[\s\S]*= c\n/);
  const looks = own.requests.filter((path) => path.startsWith('GET'));
  expect(looks.length).toBeLessThanOrEqual(2 * 2);
  await own.stop();
});

test('bytes that are no UTF-8 stay through take-over, suspension, renewal and rename', async () => {
  const own = await startOscamServer();
  const account = (user: string, pwd: string) =>
    `[account]\nuser = ${user}\npwd = ${pwd}\ndescription = 1. Stra\u00dfe\nexpdate = 2028-12-31\n\n`;
  const text = account('lp01', 'pa\u00dfwort') + account('m\u00fcller', 'pw-\u00df\u00df');
  await writeFile(own.file, text, 'latin1');
  await own.restart();
  const { id } = await addOscamServer(panel, own, { server_name: 'Since 2009' });
  await panel.admin.post('/api/sync/orphans/look', {});
  const found = (await panel.admin.get(`/api/sync/orphans?server_id=${id}`)).body.items;
  expect(found.map(({ username }: { username: string }) => username)).toEqual(['lp01', 'müller']);
  const adopted = await panel.admin.post('/api/sync/orphans/adopt', {
    ids: found.map((one: { id: string }) => one.id),
  });
  const lines: string[] = adopted.body.items.map(({ line_id }: { line_id: string }) => line_id);
  const inOscam = () =>
    own
      .accounts()
      .map(({ user, pwd, disabled, description }) => [
        user,
        pwd,
        disabled,
        description?.replace(/^Linekeeper \S+ /, ''),
      ]);
  const kept = (first: string, disabled: string) => [
    [first, 'pa\u00dfwort', disabled, '| 1. Stra\u00dfe'],
    ['m\u00fcller', 'pw-\u00df\u00df', disabled, '| 1. Stra\u00dfe'],
  ];
  await eventually(() => expect(inOscam()).toEqual(kept('lp01', '0')));
  for (const [action, disabled] of [
    ['suspend', '1'],
    ['resume', '0'],
    ['renew', '0'],
  ] as const) {
    for (const line of lines) {
      const body = action === 'renew' ? { subscription_months: 1 } : {};
      const { body: done } = await panel.admin.post(`/api/lines/${line}/${action}`, body);
      expect(done.sync).toEqual({ ok: true, message: null });
    }
    expect(inOscam()).toEqual(kept('lp01', disabled));
  }
  await panel.admin.patch(`/api/lines/${lines[0]}`, { username: 'lp01new' });
  await eventually(() => expect(inOscam()).toEqual(kept('lp01new', '0').toReversed()));
  const ended = await panel.admin.post(`/api/lines/${lines[1]}/end-sessions`, {});
  expect(ended.body.ended).toBe(0);
  await panel.admin.delete(`/api/lines/${lines[1]}`);
  await eventually(() => expect(own.names()).toEqual(['lp01new']));
  await own.stop();
});
