import { addDays } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { storeSessions } from '../../domain/presence/collect-presence.ts';
import { storeLines, storeTaken } from '../../testing/lines.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';

describe.each(databases)('who is on, on the dashboard on %s', (kind) => {
  let panel: TestPanel;
  let seller: TestAccount;
  let other: TestAccount;
  let silentId: string;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
    seller = await panel.reseller({ credits: 0 });
    other = await panel.reseller({ credits: 0 });
    return () => panel.stop();
  });

  async function addServer(server_name: string): Promise<string> {
    const row = { host_ip: '10.1.2.3', port: 12000, username: 'panel', password: 'secret' };
    const { body } = await panel.admin.post('/api/servers', { ...row, server_name });
    await panel.services.db
      .updateTable('cccam_servers')
      .set({ status: 'active', next_check_at: sql`now() + interval '50 seconds'` })
      .where('id', '=', body.server.id)
      .execute();
    return body.server.id;
  }
  const store = (id: string, names: string[]) =>
    storeSessions(
      panel.services,
      { id },
      {
        ok: true,
        card_server: null,
        started_at: null,
        accounts: names.map((username) => ({
          username,
          connections: 2,
          sessions: [],
          counters: null,
          answer_ms: null,
        })),
      },
    );
  const online = async ({ client }: { client: TestPanel['admin'] }) =>
    (await client.get('/api/dashboard')).body.online;

  test('is not there while no server says so', async () => {
    silentId = await addServer('Leeds 1');
    await storeLines(panel.services.db, seller.id, silentId, [{ username: 'lee' }]);
    expect(await online(seller)).toBeNull();
    expect(await online({ client: panel.admin })).toBeNull();
  });

  test('is counted for each account by its own lines, and names the servers that do not say', async () => {
    const { db } = panel.services;
    const warsaw = await addServer('Warsaw 2');
    const today = panel.services.today();
    await storeLines(db, seller.id, warsaw, [
      { username: 'anna' },
      { username: 'bert' },
      { username: 'never-1', added_date: addDays(today, -5) },
      { username: 'never-2', added_date: addDays(today, -9) },
      { username: 'just sold', added_date: today },
    ]);
    await storeLines(db, other.id, warsaw, [{ username: 'cara' }]);
    await storeTaken(db, warsaw);
    await store(warsaw, ['anna', 'bert', 'cara']);
    await store(warsaw, ['anna', 'cara']);
    expect(await online({ client: panel.admin })).toMatchObject({
      now: 2,
      servers: [
        { server_name: 'Leeds 1', lines: 1, online: 0, is_known: false, unknown_since: null },
        { server_name: 'Warsaw 2', lines: 6, online: 2, is_known: true, unknown_since: null },
      ],
      never_connected: { lines: 2, oldest: addDays(today, -9) },
      refusals: [],
    });
    expect(await online(seller)).toMatchObject({
      now: 1,
      servers: [
        { server_name: 'Leeds 1' },
        { server_name: 'Warsaw 2', lines: 5, online: 1, is_known: true },
      ],
    });
    expect(await online(other)).toMatchObject({
      now: 1,
      servers: [{ server_name: 'Warsaw 2', lines: 1, online: 1 }],
      never_connected: { lines: 0, oldest: null },
    });
  });

  test('goes through the day beside the one a week before', async () => {
    const { db, config } = panel.services;
    await sql`delete from server_presence_hours`.execute(db);
    await sql`delete from line_usage_hours`.execute(db);
    const begin = sql`date_trunc('day', now() at time zone ${config.time_zone})`;
    await sql`insert into server_presence_hours (server_id, hour, minutes_known, line_minutes, most_online)
      select id, (${begin} - make_interval(days => back)) at time zone ${config.time_zone}, 30, 30 * (3 + back), 9
        from cccam_servers, unnest(array[0, 7]) as back where server_name = 'Warsaw 2'`.execute(db);
    await sql`insert into line_usage_hours (line_id, hour, minutes_online, requests_ok, requests_refused,
        requests_timed_out, answer_ms, answers, most_connections)
      select users.id, (${begin} - make_interval(days => back)) at time zone ${config.time_zone}, 30 - back,
          0, 0, 0, 0, 0, 1
        from users, unnest(array[0, 7]) as back where username in ('anna', 'bert')`.execute(db);
    const all = await online({ client: panel.admin });
    expect(all.hours).toHaveLength(24);
    expect(all.hours[0]).toMatchObject({ lines: 3, week_before: 10 });
    expect(all.hours[1]).toMatchObject({ lines: null, week_before: null });
    expect(all.most).toMatchObject({ lines: 3 });
    const own = await online(seller);
    expect(own.hours[0]).toMatchObject({ lines: 2, week_before: 2 });
    expect((await online(other)).hours[0]).toMatchObject({ lines: 0, week_before: 0 });
  });

  test('names lines with many refused requests, and since when a server is silent', async () => {
    const { db } = panel.services;
    await sql`insert into line_usage_hours (line_id, hour, minutes_online, requests_ok, requests_refused,
        requests_timed_out, answer_ms, answers, most_connections)
      select users.id, date_trunc('hour', now()), 30, 60, case username when 'anna' then 40 else 1 end, 0, 0, 0, 1
        from users where username in ('anna', 'bert', 'cara')
      on conflict (line_id, hour) do update set requests_ok = excluded.requests_ok,
        requests_refused = excluded.requests_refused`.execute(db);
    const since = async (connected: string) => {
      const { rows } = await sql<{
        since: Date;
      }>`update line_presence set since = now() + ${connected}::interval
        where line_id = (select id from users where username = 'anna') returning since`.execute(db);
      const [found] = (await online(seller)).refusals;
      return { told: Date.parse(found.since), connected: rows[0]?.since.getTime() };
    };
    const lately = await since('-1 second');
    expect(lately.told).toBeGreaterThanOrEqual(lately.connected ?? Number.NaN);
    await since('-1 day');
    const found = await online(seller);
    expect(found.refusals).toMatchObject([
      { username: 'anna', server_name: 'Warsaw 2', owner_name: seller.email, share: 0.4 },
    ]);
    expect((await online(other)).refusals).toEqual([]);
    // The line has disconnected, and not only in the last minutes.
    await sql`update line_presence set connections = 0, last_seen_at = now() - interval '1 hour'
      where line_id = (select id from users where username = 'anna')`.execute(db);
    expect((await online(seller)).refusals).toEqual([]);
    const finding = { code: 'AUTHENTICATION_FAILED', data: { status: 401 } } as const;
    await sql`update server_presence set read_at = now() - interval '1 hour'`.execute(db);
    await storeSessions(panel.services, { id: silentId }, { ok: false, finding });
    const { now, servers } = await online({ client: panel.admin });
    expect(now).toBe(0);
    expect(servers).toMatchObject([
      { server_name: 'Leeds 1', unknown_since: null, finding },
      { server_name: 'Warsaw 2', online: 0, is_known: false, unknown_since: expect.any(String) },
    ]);
    expect((await online(seller)).servers).toMatchObject([{ finding: null }, {}]);
  });
});
