import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { healClock } from '../../heal-clock.ts';
import { newId } from '../../platform/ids.ts';
import { storeLines, storeTaken } from '../../testing/lines.ts';
import { databases, startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { metricsOf } from '../../testing/wire/metrics.ts';
import type { OnlineAccount, SessionsRead } from '../machines/card-server/driver.ts';
import { storeSessions, tidyPresence } from './collect-presence.ts';

const STARTED = new Date('2026-01-01T00:00:00Z');

function online(username: string, more: Partial<OnlineAccount> = {}): OnlineAccount {
  const session = { protocol: 'cccam', address: '203.0.113.7', since: null };
  return {
    username,
    connections: 1,
    sessions: [session],
    counters: null,
    answer_ms: null,
    ...more,
  };
}
const says = (accounts: OnlineAccount[], started_at: Date | null = STARTED): SessionsRead => ({
  ok: true,
  card_server: 'OSCam 2.26',
  started_at,
  accounts,
});
const requests = (ok: number, refused: number) => ({
  counters: { ok, refused, timed_out: 0 },
  answer_ms: 100,
});

describe.each(databases)('who is on, on %s', (kind) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
    return () => panel.stop();
  });

  let server: string;
  let names: [string, string, string];
  let ids: string[];
  beforeEach(async () => {
    server = await addServer();
    const mark = newId().slice(-12);
    names = [`anna${mark}`, `bert${mark}`, `cara${mark}`];
    const { body } = await panel.admin.get('/api/me');
    ids = await storeLines(
      panel.services.db,
      body.id,
      server,
      names.map((username) => ({ username })),
    );
    await storeTaken(panel.services.db, server);
  });

  async function addServer(): Promise<string> {
    const row = {
      host_ip: '127.0.0.1',
      port: 12000,
      api_port: 9,
      username: 'panel',
      password: 'pw',
    };
    const { body } = await panel.admin.post('/api/servers', { ...row, server_name: newId() });
    return body.server.id;
  }
  const store = (said: SessionsRead, id = server) => storeSessions(panel.services, { id }, said);
  const pass = (minutes: number, id = server) =>
    sql`update server_presence set read_at = read_at - make_interval(mins => ${minutes})
      where server_id = ${id}`.execute(panel.services.db);
  const lineOf = async (index: number) => (await panel.admin.get(`/api/lines/${ids[index]}`)).body;
  const hoursOf = async (index: number) =>
    panel.services.db
      .selectFrom('line_usage_hours')
      .selectAll()
      .where('line_id', '=', String(ids[index]))
      .execute();

  test('is told of each line, with since when and how often', async () => {
    await store(says([online(names[0], { connections: 2 }), online('somebody else')]));
    const moment = expect.stringMatching(/^2\d{3}-.*Z$/);
    expect((await lineOf(0)).presence).toEqual({
      state: 'online',
      connections: 2,
      since: moment,
      last_seen_at: moment,
      protocol: 'cccam',
    });
    expect((await lineOf(1)).presence).toMatchObject({ state: 'offline', last_seen_at: null });
    expect((await panel.admin.get(`/api/servers/${server}`)).body.presence).toMatchObject({
      is_known: true,
      lines_online: 1,
      connections: 2,
      card_server: 'OSCam 2.26',
      started_at: STARTED.toISOString(),
      finding: null,
    });
    await pass(1);
    await store(says([online(names[1])]));
    expect((await lineOf(0)).presence).toMatchObject({ state: 'offline', connections: 0 });
    expect((await lineOf(1)).presence).toMatchObject({ state: 'online' });
  });

  test('is not known where it is not said: neither off nor on', async () => {
    await store({ ok: false, finding: null });
    expect((await panel.admin.get(`/api/servers/${server}`)).body.presence).toBeNull();
    expect((await lineOf(0)).presence).toMatchObject({ state: 'unknown', since: null });
    await store(says([online(names[0])]));
    await pass(10);
    const finding = { code: 'NOT_REACHED', data: { reason: 'connection refused' } } as const;
    await store({ ok: false, finding });
    const found = (await panel.admin.get(`/api/servers/${server}`)).body.presence;
    expect(found).toMatchObject({ is_known: false, finding });
    expect((await lineOf(0)).presence).toMatchObject({ state: 'unknown', since: found.at });
    expect((await lineOf(1)).presence).toMatchObject({ state: 'unknown', since: found.at });
  });

  test('is summed up by the hour, and begins anew after a restart', async () => {
    await store(says([online(names[0], requests(1000, 50))]));
    for (const ok of [1010, 1030]) {
      await pass(1);
      await store(says([online(names[0], requests(ok, 52))]));
    }
    await pass(1);
    const restarted = new Date(STARTED.getTime() + 3_600_000);
    const elsewhere = { protocol: 'cccam', address: '198.51.100.9', since: null };
    await store(says([online(names[0], { ...requests(5, 0), sessions: [elsewhere] })], restarted));
    const hours = await hoursOf(0);
    const sum = (field: 'minutes_online' | 'requests_ok' | 'requests_refused' | 'answers') =>
      hours.reduce((total, hour) => total + hour[field], 0);
    expect(sum('minutes_online')).toBe(3);
    expect(sum('requests_ok')).toBe(35);
    expect(sum('requests_refused')).toBe(2);
    expect(sum('answers')).toBe(3);
    expect(new Set(hours.flatMap(({ networks }) => networks)).size).toBe(2);
    const { rows } = await sql<{ known: number; online: number }>`
      select sum(minutes_known)::integer as known, sum(line_minutes)::integer as online
        from server_presence_hours where server_id = ${server}`.execute(panel.services.db);
    expect(rows).toEqual([{ known: 3, online: 3 }]);
  });

  test('two panels that read at once count once', async () => {
    await store(says([online(names[0], requests(10, 0))]));
    await pass(1);
    const both = says([online(names[0], requests(30, 0))]);
    await Promise.all([store(both), store(both)]);
    const hours = await hoursOf(0);
    expect(hours.reduce((sum, { requests_ok }) => sum + requests_ok, 0)).toBe(20);
  });

  test('a line that moves is on where it is now', async () => {
    const other = await addServer();
    await store(says([online(names[0])]));
    await panel.services.db
      .updateTable('users')
      .set({ server_id: other })
      .where('id', '=', String(ids[0]))
      .execute();
    await storeTaken(panel.services.db, other);
    expect((await lineOf(0)).presence).toMatchObject({ state: 'unknown' });
    await store(says([online(names[0])]), other);
    expect((await lineOf(0)).presence).toMatchObject({ state: 'online' });
    // It is still connected where it came from.
    await pass(1);
    await store(says([online(names[0])]));
    expect((await lineOf(0)).presence).toMatchObject({ state: 'online' });
    await pass(1, other);
    await store(says([]), other);
    expect((await lineOf(0)).presence).toMatchObject({ state: 'offline', connections: 0 });
  });

  test('nothing is left of an address, nor of what was watched', async () => {
    await store(says([online(names[0])]));
    const { rows } = await sql<{ kept: string }>`
      select to_jsonb(line_presence)::text as kept from line_presence where line_id = ${ids[0]}`.execute(
      panel.services.db,
    );
    expect(rows[0]?.kept).toContain('203.0.113.0/24');
    expect(rows[0]?.kept).not.toContain('203.0.113.7');
    await panel.admin.patch('/api/settings', { kept_addresses: 'none' });
    await pass(1);
    await store(says([online(names[0])]));
    const after = await sql<{ kept: string }>`
      select to_jsonb(line_presence)::text as kept from line_presence where line_id = ${ids[0]}`.execute(
      panel.services.db,
    );
    expect(after.rows[0]?.kept).not.toContain('203.0.113');
    await panel.admin.patch('/api/settings', { kept_addresses: 'network' });
  });

  test('hours are kept for thirty days, and networks only while the setting says so', async () => {
    const { db } = panel.services;
    await store(says([online(names[0])]));
    await sql`insert into line_usage_hours (line_id, hour, minutes_online, requests_ok, requests_refused,
        requests_timed_out, answer_ms, answers, most_connections)
      select ${ids[1]}, now() - make_interval(days => back), 1, 0, 0, 0, 0, 0, 1
        from unnest(array[-2, 1, 30, 32]) as back`.execute(db);
    await healClock(panel.services);
    await tidyPresence(db);
    expect(await hoursOf(1)).toHaveLength(2);
    const sessions = async () =>
      db
        .selectFrom('line_presence')
        .select('sessions')
        .where('line_id', '=', String(ids[0]))
        .executeTakeFirst();
    expect(await sessions()).toMatchObject({ sessions: [{ network: '203.0.113.0/24' }] });
    await panel.admin.patch('/api/settings', { kept_addresses: 'none' });
    await tidyPresence(db);
    expect(await sessions()).toMatchObject({ sessions: [{ protocol: 'cccam', network: null }] });
    await panel.admin.patch('/api/settings', { kept_addresses: 'network' });
  });

  test('is counted for whoever watches the panel', async () => {
    await sql`update cccam_servers set status = 'inactive'`.execute(panel.services.db);
    await sql`update cccam_servers set status = 'active', next_check_at = now() + interval '50 seconds'
      where id = ${server}`.execute(panel.services.db);
    await store(says([online(names[0]), online(names[1])]));
    expect(await metricsOf(panel.url)).toMatchObject({
      linekeeper_lines_online: 2,
      linekeeper_servers_silent: 0,
    });
    await pass(5);
    expect(await metricsOf(panel.url)).toMatchObject({
      linekeeper_lines_online: 0,
      linekeeper_servers_silent: 1,
    });
  });

  test('of a server or a line that is gone meanwhile, nothing is kept', async () => {
    await store(says([online(names[0])]), newId());
    await panel.services.db.deleteFrom('users').where('id', '=', String(ids[0])).execute();
    await pass(1);
    await store(says([online(names[0]), online(names[1])]));
    expect((await lineOf(1)).presence).toMatchObject({ state: 'online' });
  });
});
