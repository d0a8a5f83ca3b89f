import { addDays, type Day } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import type * as contract from '@linekeeper/contract/lines/usage.ts';
import type { Usage, UsageDay } from '@linekeeper/contract/lines/usage.ts';
import { sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { findRefusals, shareOf } from '../../../domain/lines/refusals.ts';
import { serversOfUser } from '../../../domain/machines/servers.ts';
import { canEndSessions, reportingServer } from '../../../domain/presence/presence.ts';
import { sharingOf } from '../../../domain/presence/sharing/tell-sharing.ts';
import type { Action } from '../../../domain/use-cases/use-case.ts';
import { startOfDay } from '../../../platform/clock.ts';
import { findLine } from '../list/store.ts';

interface Days {
  first: Day;
  today: Day;
  time_zone: string;
}

export const lineUsage: Action<typeof contract.lineUsage> = async (
  { db, actor, config, ...ctx },
  { params: { id }, query },
) => {
  const line = await findLine(db, lineScope(actor), id);
  const today = ctx.today();
  const days = {
    first: addDays(today, 1 - query.days),
    today,
    time_zone: config.time_zone,
  };
  const [now, hours, minutesKnown] = await Promise.all([
    readNow(db, id),
    readHours(db, id, days),
    readMinutesKnown(db, line.servers, days),
  ]);
  return {
    presence: line.presence,
    read_at: now.read_at?.toISOString() ?? null,
    sessions: now.sessions,
    can_end_sessions: now.can_end_sessions,
    days: daysOf(days, hours, (day) => (day < line.added_date ? 0 : (minutesKnown.get(day) ?? 0))),
    refusals: await readRefusals(db, line, hours, now.at),
    sharing: sharingOf(now.sharing, now.suspension, now.at),
  };
};

/** SQL condition: sessions can be ended on one of the line's servers. */
const canEndSomewhere = sql<boolean>`exists (select from cccam_servers
    left join server_presence on server_presence.server_id = cccam_servers.id
  where cccam_servers.id = any(${serversOfUser}) and ${canEndSessions})`;

/** The sessions of the last readings, if they were of the line's present servers. */
async function readNow(db: Db, id: string) {
  const row = await db
    .selectFrom('users')
    .leftJoin('line_presence', (join) =>
      join
        .onRef('line_presence.line_id', '=', 'users.id')
        .onRef('line_presence.server_id', '=', 'users.server_id'),
    )
    .leftJoin('server_presence', (join) =>
      join.on('server_presence.server_id', '=', reportingServer),
    )
    .where('users.id', '=', id)
    .select([
      'users.suspension',
      'line_presence.sessions',
      'line_presence.sharing',
      'server_presence.read_at',
    ])
    .select([canEndSomewhere.as('can_end_sessions'), sql<Date>`now()`.as('at')])
    .executeTakeFirstOrThrow();
  return { ...row, sessions: row.sessions ?? [] };
}

const readHours = (db: Db, id: string, { first, time_zone }: Days) =>
  db
    .selectFrom('line_usage_hours')
    .selectAll()
    .select(sql<Day>`(hour at time zone ${time_zone})::date`.as('day'))
    .where('line_id', '=', id)
    .where('hour', '>=', startOfDay(first, time_zone))
    .orderBy('hour')
    .execute();
type Hours = Awaited<ReturnType<typeof readHours>>;

/**
 * The minutes of each day in which a server of the line reported its sessions. If there are several servers, the one
 * with most minutes in each hour counts.
 */
async function readMinutesKnown(db: Db, servers: Line['servers'], { first, time_zone }: Days) {
  const hours = db
    .selectFrom('server_presence_hours')
    .select(['hour', sql<number>`max(minutes_known)`.as('minutes_known')])
    .where(
      'server_id',
      'in',
      servers.map(({ server_id }) => server_id),
    )
    .where('hour', '>=', startOfDay(first, time_zone))
    .groupBy('hour');
  const rows = await db
    .selectFrom(hours.as('hours'))
    .select(sql<Day>`(hour at time zone ${time_zone})::date`.as('day'))
    .select(sql<number>`sum(minutes_known)::integer`.as('minutes'))
    .groupBy('day')
    .execute();
  return new Map(rows.map(({ day, minutes }) => [day, minutes]));
}

function daysOf({ first, today }: Days, hours: Hours, minutesKnown: (day: Day) => number) {
  const byDay = Map.groupBy(hours, ({ day }) => day);
  const days: UsageDay[] = [];
  for (let day = first; day <= today; day = addDays(day, 1)) {
    days.push(dayOf(day, byDay.get(day) ?? [], minutesKnown(day)));
  }
  return days;
}

function dayOf(day: Day, hours: Hours, minutesKnown: number): UsageDay {
  const sum = (valueIn: (hour: Hours[number]) => number) =>
    hours.reduce((total, hour) => total + valueIn(hour), 0);
  const minutes_online = sum((hour) => hour.minutes_online);
  const answers = sum((hour) => hour.answers);
  return {
    day,
    // The line was online on another server before it moved, so its minutes may be more.
    minutes_known: Math.max(minutesKnown, minutes_online),
    minutes_online,
    requests_ok: sum((hour) => hour.requests_ok),
    requests_refused: sum((hour) => hour.requests_refused),
    requests_timed_out: sum((hour) => hour.requests_timed_out),
    mean_ms: answers > 0 ? Math.round(sum((hour) => Number(hour.answer_ms)) / answers) : null,
    most_connections: Math.max(0, ...hours.map((hour) => hour.most_connections)),
    networks: new Set(hours.flatMap((hour) => hour.networks)).size,
  };
}

/** The refusals of a line, with its server's share for comparison: it shows whether line or server is the cause. */
async function readRefusals(
  db: Db,
  { server_id, presence }: Pick<Line, 'server_id' | 'presence'>,
  hours: Hours,
  now: Date,
): Promise<Usage['refusals']> {
  const found = findRefusals(hours, now, presence);
  if (!found) return null;
  const { from, ...refusals } = found;
  const all = await db
    .selectFrom('line_usage_hours')
    .innerJoin('line_presence', 'line_presence.line_id', 'line_usage_hours.line_id')
    .where('line_presence.server_id', '=', server_id)
    .where('hour', '>=', from)
    .select([
      sql<Date>`min(hour)`.as('hour'),
      sql<number>`coalesce(sum(requests_ok), 0)::bigint`.as('requests_ok'),
      sql<number>`coalesce(sum(requests_refused), 0)::bigint`.as('requests_refused'),
      sql<number>`coalesce(sum(requests_timed_out), 0)::bigint`.as('requests_timed_out'),
    ])
    .executeTakeFirstOrThrow();
  return { ...refusals, server_share: shareOf([all]) };
}
