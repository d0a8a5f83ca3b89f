import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { withoutTriggers } from '../database/tamper.ts';

/** Pseudo-random for a line, but the same in every run and independent for different purposes. */
const scattered = (purpose: number, below: number) =>
  sql.raw(
    `((hashtextextended(users.id::text, ${purpose}) & 9223372036854775807) % ${below})::integer`,
  );

export interface SeedPresence {
  /** Lines that are online, per thousand. */
  online?: number;
  /** Lines that have never been online, per thousand. */
  never?: number;
  /** Hours of presence to store for the lines that are online. */
  hours?: number;
}

/** Stores which lines are online and which were, for every existing server. */
export async function seedPresence(
  db: Db,
  { online = 300, never = 50, hours = 0 }: SeedPresence = {},
): Promise<void> {
  await withoutTriggers(db, async (tx) => {
    await sql`
      insert into line_presence (line_id, server_id, connections, since, last_seen_at, protocol)
      select id, server_id, is_on::integer, now() - ago,
        case when is_on then 'infinity'::timestamptz else now() - ago end, 'cccam'
      from (select id, server_id, ${scattered(1, 1000)} < ${sql.lit(online)} as is_on,
            make_interval(mins => 5 + ${scattered(2, 60_000)}) as ago
          from users where ${scattered(1, 1000)} < ${sql.lit(1000 - never)}) as users`.execute(tx);
    await sql`update users set has_connected = true
      where ${scattered(1, 1000)} < ${sql.lit(1000 - never)}`.execute(tx);
    await sql`
      insert into server_presence (server_id, read_at, lines_online, connections, card_server, started_at)
      select id, now() + interval '1 minute', count(line_id), count(line_id), 'OSCam', now() - interval '9 days'
      from cccam_servers left join line_presence
        on line_presence.server_id = cccam_servers.id and connections > 0
      group by id`.execute(tx);
    if (hours > 0) await seedHours(tx, hours);
  });
  await sql`vacuum analyze`.execute(db);
}

async function seedHours(db: Db, hours: number): Promise<void> {
  await sql`
    insert into line_usage_hours (line_id, hour, minutes_online, requests_ok, requests_refused,
        requests_timed_out, answer_ms, answers, most_connections, networks)
    select line_id, hour, 60, 360, 3, 1, 60 * 90, 60, 1, array[hashtext(line_id::text)]
      from line_presence, generate_series(date_trunc('hour', now()) - make_interval(hours => ${hours}),
        now(), interval '1 hour') as hour where connections > 0`.execute(db);
  await sql`
    insert into server_presence_hours (server_id, hour, minutes_known, line_minutes, most_online)
    select server_id, hour, 60, 60 * lines_online, lines_online
      from server_presence, generate_series(date_trunc('hour', now()) - make_interval(hours => ${hours}),
        now(), interval '1 hour') as hour`.execute(db);
}
