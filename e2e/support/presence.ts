import { storeDirectly } from './database.ts';

/**
 * SQL that stores readings of all servers but Leeds 1, some of them slightly ahead, so that
 * presence is known in all pictures. Leeds 1 has reported nothing for hours.
 */
const readings = `
  insert into server_presence (server_id, read_at, tried_at, lines_online, connections, card_server, started_at, finding)
  select id, case when is_silent then now() - interval '6 hours 40 minutes' else now() + interval '170 seconds' end, now(), 0, 0,
      'OSCam 2.26.01', now() - interval '9 days',
      null
    from cccam_servers, lateral (select server_name = 'Leeds 1' as is_silent)
    where status <> 'inactive'
  on conflict (server_id) do update set read_at = excluded.read_at, tried_at = excluded.tried_at, finding = excluded.finding`;

const readHours = `
  insert into server_presence_hours (server_id, hour, minutes_known, line_minutes, most_online)
  select id, date_trunc('hour', now()) - part * interval '1 hour', 60,
      60 * (4 + (6 + 5 * sin(part * pi() / 12))::integer), 12
    from cccam_servers, generate_series(0, 30 * 24) as part
    where status <> 'inactive' and not (server_name = 'Leeds 1' and part < 7)
  on conflict do nothing`;

const network = (part: string) =>
  `(array['203.0.113.0/24', '198.51.100.0/24', '192.0.2.0/24'])[${part}]`;

/** SQL that stores the presence of lines: of five, one was never online, two are online, and two were. */
const lines = `
  insert into line_presence (line_id, server_id, connections, since, last_seen_at, protocol, sessions)
  select id, server_id, connections, now() - hours * interval '1 hour',
      case when connections > 0 then 'infinity' else now() - hours * interval '1 hour' end, 'CCcam',
      (select coalesce(jsonb_agg(jsonb_build_object('protocol', 'CCcam', 'network', ${network('part')},
          'since', now() - (hours + part) * interval '47 minutes')), '[]')
        from generate_series(1, connections) as part)
    from (select users.*, row_number() over (order by created_at) % 5 as place,
        row_number() over (order by created_at) as hours from users) as users,
      lateral (select case place when 1 then 2 when 2 then 3 else 0 end as connections)
    where place <> 4
  on conflict (line_id) do nothing`;

/**
 * SQL that stores the hours of a month, more of them in the last week. Since this evening many requests are refused.
 */
const usage = `
  insert into line_usage_hours (line_id, hour, minutes_online, requests_ok, requests_refused,
      requests_timed_out, answer_ms, answers, most_connections, networks)
  select line_id, date_trunc('hour', now()) - part * interval '1 hour', 60, 90,
      case when part < 3 then 60 else part % 3 end, part % 2, 90 * 120, 90,
      case when part < 120 then 3 else 1 end, case when part < 120 then '{1,2,3}' else '{1}' end::integer[]
    from line_presence, generate_series(0, 30 * 24) as part
    where part % 24 < case when part < 168 then 15 else 9 end and part not between 330 and 360
  on conflict do nothing`;

const counted = `
  update server_presence set
    lines_online = (select count(*) from line_presence
      where line_presence.server_id = server_presence.server_id and line_presence.connections > 0),
    connections = (select coalesce(sum(line_presence.connections), 0) from line_presence
      where line_presence.server_id = server_presence.server_id)`;

const connected = 'update users set has_connected = id in (select line_id from line_presence)';

/** Stores readings as card servers would give them. They count for some minutes. */
export async function storePresence(): Promise<void> {
  await storeDirectly(
    [readings, readHours, lines, counted, connected, usage].map((statement) => [statement, []]),
  );
}

interface Online {
  connections: number;
  /** Hours since the line was online. */
  hours: number;
}

/** Stores the presence of lines on a server that was read a moment ago. Lines without a reading were never online. */
export async function storeOnline(
  server_id: string,
  online: Record<string, Online>,
): Promise<void> {
  await storeDirectly([
    [
      `insert into server_presence (server_id, read_at, card_server) values ($1, now(), 'OSCam 2.26.01')
        on conflict (server_id) do update set read_at = now()`,
      [server_id],
    ],
    ['update users set has_connected = true where id = any($1)', [Object.keys(online)]],
    ...Object.entries(online).map(([line_id, { connections, hours }]): [string, unknown[]] => [
      `insert into line_presence (line_id, server_id, connections, since, last_seen_at, protocol)
        select id, server_id, $2::integer, now() - make_interval(hours => $3::integer),
            case when $2::integer > 0 then 'infinity' else now() - make_interval(hours => $3::integer) end, 'CCcam'
          from users where id = $1
        on conflict (line_id) do update set connections = excluded.connections,
          since = excluded.since, last_seen_at = excluded.last_seen_at`,
      [line_id, connections, hours],
    ]),
    [`${counted} where server_id = $1`, [server_id]],
  ]);
}

/** Stores that the server has reported nothing for some hours. */
export async function storeSilence(server_id: string, hours: number): Promise<void> {
  await storeDirectly([
    [
      'update server_presence set read_at = now() - make_interval(hours => $2) where server_id = $1',
      [server_id, hours],
    ],
  ]);
}

/** Stores a month of the line's presence, with many refused requests in the last hours. */
export async function storeUsage(server_id: string, line_id: string): Promise<void> {
  await storeDirectly([
    ['update users set added_date = added_date - 40 where id = $1', [line_id]],
    [
      `insert into server_presence_hours (server_id, hour, minutes_known, line_minutes, most_online)
        select $1, date_trunc('hour', now()) - part * interval '1 hour', 60, 60, 1
          from generate_series(0, 30 * 24) as part on conflict do nothing`,
      [server_id],
    ],
    [
      `insert into line_usage_hours (line_id, hour, minutes_online, requests_ok, requests_refused,
          requests_timed_out, answer_ms, answers, most_connections, networks)
        select $1, date_trunc('hour', now()) - part * interval '1 hour', 60, 90,
            case when part < 3 then 60 else 1 end, 0, 9000, 90, 2, '{1,2}'
          from generate_series(0, 30 * 24) as part where part % 24 < 13 on conflict do nothing`,
      [line_id],
    ],
    [
      `update line_presence set sessions = '[{"protocol": "CCcam", "network": "203.0.113.0/24", "since": null}]'
        where line_id = $1`,
      [line_id],
    ],
  ]);
}
