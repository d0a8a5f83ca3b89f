import { addDays } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApi, stopServers } from '../../../domain/machines/card-server/testing/servers.ts';
import { storeSessions } from '../../../domain/presence/collect-presence.ts';
import { storeLines, storeTaken } from '../../../testing/lines.ts';
import { checkById } from '../../../testing/loops.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';

describe.each(databases)('what a line did, on %s', (kind) => {
  let panel: TestPanel;
  let seller: TestAccount;
  let server: string;
  let ids: string[];
  let ended: number | 'cannot' = 1;
  const asked: string[] = [];

  beforeAll(async () => {
    panel = await startTestPanel(kind);
    seller = await panel.reseller({ credits: 0 });
    const api = await startApi(({ method, url, body }) => {
      if (url === '/sessions') {
        const session = { protocol: 'cccam', address: '203.0.113.7', since: null };
        const account = { username: 'anna', connections: 2, sessions: [session, session] };
        return {
          status: 200,
          json: { server: 'OSCam 2.26', started_at: null, accounts: [account] },
        };
      }
      if (url === '/end-sessions') {
        asked.push(`${method} ${JSON.stringify(body)}`);
        return ended === 'cannot' ? { status: 404, json: {} } : { status: 200, json: { ended } };
      }
      return { status: 200, json: { version: '1' } };
    });
    ({ id: server } = await panel.addServer(`http://127.0.0.1:${api.port}`));
    const added_date = addDays(panel.services.today(), -9);
    ids = await storeLines(panel.services.db, seller.id, server, [
      { username: 'anna', added_date },
      { username: 'bert', added_date },
    ]);
    await storeTaken(panel.services.db, server);
    return async () => {
      await panel.stop();
      await stopServers();
    };
  });

  const usage = async (index = 0, query = '') =>
    (await seller.client.get(`/api/lines/${ids[index]}/usage${query}`)).body;
  const check = async () => {
    await checkById(panel.services, server);
  };

  test('is unknown before its server has said anything, and read by the check of each minute', async () => {
    const before = await usage();
    expect(before).toMatchObject({ read_at: null, sessions: [], refusals: null, sharing: null });
    expect(before.presence.state).toBe('unknown');
    expect(before.days).toHaveLength(30);
    expect(before.days.at(-1)).toMatchObject({ day: panel.services.today(), minutes_known: 0 });
    await check();
    const found = await usage();
    expect(found).toMatchObject({
      presence: { state: 'online', connections: 2 },
      sessions: [{ protocol: 'cccam', network: '203.0.113.0/24', since: null }, {}],
      can_end_sessions: true,
    });
    expect(await usage(1)).toMatchObject({ presence: { state: 'offline' }, sessions: [] });
  });

  test('is summed up by day, and no day is known before the line was sold', async () => {
    const { db } = panel.services;
    await sql`delete from line_usage_hours`.execute(db);
    await sql`insert into server_presence_hours (server_id, hour, minutes_known, line_minutes, most_online)
      select ${server}, date_trunc('day', now() at time zone ${panel.services.config.time_zone})
          at time zone ${panel.services.config.time_zone} - make_interval(hours => back), 60, 60, 1
        from generate_series(1, 24 * 12) as back on conflict do nothing`.execute(db);
    await sql`insert into line_usage_hours (line_id, hour, minutes_online, requests_ok, requests_refused,
        requests_timed_out, answer_ms, answers, most_connections, networks)
      select ${ids[0]}, date_trunc('day', now() at time zone ${panel.services.config.time_zone})
          at time zone ${panel.services.config.time_zone} - make_interval(hours => back), 30, 100, 2, 1, 900, 10,
          back, array[1, back]
        from generate_series(1, 3) as back`.execute(db);
    const { days } = await usage(0, '?days=14');
    expect(days).toHaveLength(14);
    expect(days.at(-2)).toEqual({
      day: addDays(panel.services.today(), -1),
      minutes_known: 1440,
      minutes_online: 90,
      requests_ok: 300,
      requests_refused: 6,
      requests_timed_out: 3,
      mean_ms: 90,
      most_connections: 3,
      networks: 3,
    });
    expect(days.at(-9)).toMatchObject({ minutes_known: 1440, minutes_online: 0, mean_ms: null });
    expect(days.at(-11)).toMatchObject({ minutes_known: 0 });
    expect(await seller.client.get(`/api/lines/${ids[0]}/usage?days=31`)).toMatchObject({
      status: 422,
    });
  });

  test('says that many requests are refused, and how it is with the others there', async () => {
    const { db } = panel.services;
    await storeSessions(
      panel.services,
      { id: server },
      {
        ok: true,
        card_server: 'OSCam',
        started_at: null,
        accounts: ['anna', 'bert'].map((username) => ({
          username,
          connections: 1,
          sessions: [],
          counters: null,
          answer_ms: null,
        })),
      },
    );
    await sql`insert into line_usage_hours (line_id, hour, minutes_online, requests_ok, requests_refused,
        requests_timed_out, answer_ms, answers, most_connections)
      select id::uuid, date_trunc('hour', now()), 30, case when place = 1 then 60 else 200 end,
          case when place = 1 then 40 else 0 end, 0, 0, 0, 1
        from unnest(${ids}::text[]) with ordinality as line (id, place)
      on conflict (line_id, hour) do update set requests_ok = excluded.requests_ok,
        requests_refused = excluded.requests_refused`.execute(db);
    const { refusals } = await usage();
    expect(refusals).toMatchObject({ share: 0.4 });
    expect(refusals.server_share).toBeCloseTo(40 / 300);
    expect(refusals.usual).toBeCloseTo(6 / 309);
    expect((await usage(1)).refusals).toBeNull();
  });

  test('is on the page of its server, for administrators', async () => {
    const list = await panel.admin.get(`/api/servers/${server}/sessions?sort=username`);
    expect(list.body).toMatchObject({
      items: [
        {
          line_id: ids[0],
          username: 'anna',
          connections: 1,
          requests_ok: 60,
          requests_refused: 40,
        },
        { username: 'bert' },
      ],
      total: 2,
    });
    const first = await panel.admin.get(
      `/api/servers/${server}/sessions?limit=1&sort=-connections`,
    );
    const cursor = first.body.next_cursor;
    const second = await panel.admin.get(
      `/api/servers/${server}/sessions?limit=1&sort=-connections&cursor=${cursor}`,
    );
    expect(second.body).toMatchObject({ next_cursor: null });
    expect(second.body.items[0].username).not.toBe(first.body.items[0].username);
    expect(await seller.client.get(`/api/servers/${server}/sessions`)).toMatchObject({
      status: 403,
    });
    const search = await panel.admin.get(`/api/servers/${server}/sessions?q=be`);
    expect(search.body.items).toMatchObject([{ username: 'bert' }]);
  });

  test('its sessions are ended by whoever sees it, which is audited', async () => {
    const end = (client = seller.client) => client.post(`/api/lines/${ids[0]}/end-sessions`);
    expect(await end()).toMatchObject({ status: 200, body: { ended: 1, message: null } });
    expect(asked).toEqual([`POST {"username":"anna","line":"${ids[0]}"}`]);
    expect(await end()).toMatchObject({ status: 429 });
    await sql`update rate_limits set window_ends_at = now() where scope = 'end-sessions'`.execute(
      panel.services.db,
    );
    const entries = await panel.admin.get('/api/audit?action=line.end_sessions');
    expect(entries.body.items).toMatchObject([{ subject_id: ids[0], actor_id: seller.id }]);
    ended = 'cannot';
    expect(await end()).toMatchObject({
      status: 200,
      body: { ended: 0, message: 'This card server cannot end sessions.' },
    });
    const stranger = await panel.reseller();
    expect(await end(stranger.client)).toMatchObject({ status: 404 });
    expect(asked).toHaveLength(2);
  });
});
