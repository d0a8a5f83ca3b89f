import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { healClock } from '../../heal-clock.ts';
import { newId } from '../../platform/ids.ts';
import { storeLines, storeTaken } from '../../testing/lines.ts';
import { databases, startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { addPlan } from '../../testing/plans.ts';
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
    // The line is still connected to its former server.
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

  describe('of a line on several servers', () => {
    let other: string;
    let plan_id: string;
    beforeEach(async () => {
      const { db } = panel.services;
      other = await addServer();
      const servers = [{ server_id: server }, { server_id: other }];
      plan_id = await addPlan(panel, { serves: 'all', servers });
      await db.updateTable('users').set({ plan_id }).where('id', 'in', ids).execute();
      await storeTaken(db, other);
    });
    const from = (address: string) => ({
      sessions: [{ protocol: 'cccam', address, since: null }],
    });
    const presenceOf = async (index: number) => (await lineOf(index)).presence;
    const listed = async (presence: string) => {
      const query = `presence=${presence}&server_id=${server}`;
      const { items } = (await panel.admin.get(`/api/lines?${query}`)).body;
      return items.map(({ username }: { username: string }) => username);
    };
    const sharingOf = async (index: number) =>
      (await panel.admin.get(`/api/lines/${ids[index]}/usage`)).body.sharing;
    /** Reads both servers, a minute after the earlier readings. */
    async function readBoth(here: OnlineAccount[], there: OnlineAccount[]) {
      await pass(1);
      await pass(1, other);
      await store(says(here));
      await store(says(there), other);
    }

    test('is online while it is on one of them, and counted once', async () => {
      await store(says([online(names[0], { connections: 2 }), online(names[1])]));
      await store(says([online(names[0]), online(names[2])]), other);
      expect(await presenceOf(0)).toMatchObject({ state: 'online', connections: 3 });
      expect(await presenceOf(2)).toMatchObject({ state: 'online', connections: 1 });
      expect(await listed('online')).toEqual(expect.arrayContaining([...names]));
      const set = (status: string) =>
        sql`update cccam_servers set status = ${status}, next_check_at = now() + interval '50 seconds'
          where id in (${server}, ${other})`.execute(panel.services.db);
      await set('active');
      const { servers } = (await panel.admin.get('/api/dashboard')).body.online;
      await set('inactive');
      const figures = servers.filter(({ server_id }: { server_id: string }) =>
        [server, other].includes(server_id),
      );
      const onlineOn = ({ server_id, online }: { server_id: string; online: number }) =>
        [server_id, online] as const;
      expect(Object.fromEntries(figures.map(onlineOn))).toEqual({ [server]: 2, [other]: 1 });
      const sessions = await panel.admin.get(`/api/servers/${other}/sessions?sort=username`);
      expect(sessions.body.items).toMatchObject([
        { username: names[0], connections: 1, sessions: [{ protocol: 'cccam' }] },
        { username: names[2], connections: 1 },
      ]);
      const first = await panel.admin.get(`/api/servers/${server}/sessions?sort=username`);
      expect(first.body.items).toMatchObject([
        { username: names[0], connections: 2 },
        { username: names[1] },
      ]);
      await pass(1);
      await store(says([online(names[1])]));
      expect(await presenceOf(0)).toMatchObject({ state: 'online', connections: 1 });
      await pass(1, other);
      await store(says([]), other);
      expect(await presenceOf(0)).toMatchObject({ state: 'offline', connections: 0 });
      expect(await listed('online')).toEqual([names[1]]);
    });

    test('a minute on both counts once, and requests on each', async () => {
      await store(says([online(names[0], requests(100, 0))]));
      await store(says([online(names[0], requests(5000, 0))]), other);
      await readBoth([online(names[0], requests(110, 0))], [online(names[0], requests(5003, 1))]);
      await readBoth([online(names[0], requests(130, 0))], [online(names[0], requests(5008, 1))]);
      const hours = await hoursOf(0);
      const sum = (field: 'minutes_online' | 'requests_ok' | 'requests_refused') =>
        hours.reduce((total, hour) => total + hour[field], 0);
      // The sum is three if a minute ends in between. If sessions were counted twice, it would be four or more.
      expect([2, 3]).toContain(sum('minutes_online'));
      expect(sum('requests_ok')).toBe(38);
      expect(sum('requests_refused')).toBe(1);
    });

    test('is no longer online because of a server that is away', async () => {
      await store(says([]));
      await store(says([online(names[0])]), other);
      await pass(5, other);
      expect(await presenceOf(0)).toMatchObject({ state: 'unknown' });
      await pass(1);
      await store(says([]));
      expect(await presenceOf(0)).toMatchObject({ state: 'offline', connections: 0 });
      expect(await listed('offline')).toContain(names[0]);
      // Old reports of the server do not return when the server does.
      await store(says([]), other);
      await pass(1);
      await store(says([]));
      expect(await presenceOf(0)).toMatchObject({ state: 'offline' });
    });

    test('is online on another one while its first is away', async () => {
      await store(says([online(names[0])]));
      await store(says([online(names[0])]), other);
      await pass(5);
      await store(says([online(names[0])]), other);
      expect(await presenceOf(0)).toMatchObject({ state: 'online', connections: 1 });
      expect(await presenceOf(1)).toMatchObject({ state: 'unknown' });
    });

    test('two networks are two though each server sees one, and one network is one', async () => {
      const mine = from('203.0.113.7');
      const theirs = from('198.51.100.9');
      for (let minute = 0; minute < 10; minute++) {
        await readBoth(
          [online(names[0], mine), online(names[1], mine)],
          [online(names[0], mine), online(names[1], theirs)],
        );
        await sql`update line_presence set over_limit = over_limit
            || jsonb_build_object('since', (over_limit ->> 'since')::timestamptz - interval '1 minute',
              'at', (over_limit ->> 'at')::timestamptz - interval '1 minute')
          where over_limit is not null`.execute(panel.services.db);
      }
      expect(await sharingOf(0)).toBeNull();
      expect(await sharingOf(1)).toMatchObject({ connections: 2, networks: 2, allowed: 1 });
    });

    test('is as any other line once it is on one again', async () => {
      await store(says([online(names[0])]));
      await store(says([online(names[0])]), other);
      await panel.services.db
        .updateTable('plans')
        .set({ serves: 'one' })
        .where('id', '=', plan_id)
        .execute();
      await readBoth([online(names[0])], [online(names[0])]);
      expect(await presenceOf(0)).toMatchObject({ state: 'online', connections: 1 });
      await readBoth([online(names[0])], []);
      const { rows } = await sql<{ places: unknown }>`
        select places from line_presence where line_id = ${ids[0]}`.execute(panel.services.db);
      expect(rows).toEqual([{ places: null }]);
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
