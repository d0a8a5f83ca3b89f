import { storeDirectly } from './database.ts';

interface Online {
  connections: number;
  /** Hours since it was online, or has been. */
  hours: number;
}

/** Lines of a server that was read a moment ago; those without a reading were never online. */
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
  ]);
}

/** The server has said nothing for so many hours. */
export async function storeSilence(server_id: string, hours: number): Promise<void> {
  await storeDirectly([
    [
      'update server_presence set read_at = now() - make_interval(hours => $2) where server_id = $1',
      [server_id, hours],
    ],
  ]);
}

/** A month of the line, with many refused requests in the last hours. */
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
