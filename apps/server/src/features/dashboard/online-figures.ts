import type { OnlineFigures } from '@linekeeper/contract/dashboard.ts';
import { addDays, type Day } from '@linekeeper/contract/dates.ts';
import { MOST_COUNTED } from '@linekeeper/contract/endpoint.ts';
import { type Expression, type SqlBool, sql } from 'kysely';
import { furtherLines } from '../../db/lines-of-server.ts';
import type { Db } from '../../db/transaction.ts';
import { accountName } from '../../domain/accounts/accounts.ts';
import type { Scope } from '../../domain/context/access.ts';
import { lineSets, visibleLines } from '../../domain/lines/line-sets.ts';
import {
  ENOUGH_REQUESTS,
  findRefusals,
  LEFT_WITHIN_MS,
  MANY_REFUSED,
} from '../../domain/lines/refusals.ts';
import {
  isKnown,
  presenceColumns,
  reportingServer,
  toPresence,
} from '../../domain/presence/presence.ts';
import { startOfDay } from '../../platform/clock.ts';
import { countUpTo } from '../../platform/paging/pages.ts';
import type { Days } from './credit-figures.ts';

const WEEK = 7;
const MOST_REFUSED = 3;
/** Lines examined for refusals; more than are shown, because only a line's hours reveal its usual share. */
const MOST_EXAMINED = 10;

/** Lines online now, through the day and through the same day a week before; null if no server reports its sessions. */
export async function readOnline(db: Db, scope: Scope, days: Days): Promise<OnlineFigures | null> {
  const found = await readServers(db, scope);
  const at = found.reduce<Date | null>(
    (latest, { read_at }) => (read_at && (!latest || read_at > latest) ? read_at : latest),
    null,
  );
  if (!at) return null;
  const [hours, never_connected, refusals] = await Promise.all([
    readHours(db, scope, days),
    readNeverConnected(db, scope, days.today),
    readRefusals(db, scope, at),
  ]);
  const now = found.reduce((sum, { is_known, online }) => sum + (is_known ? online : 0), 0);
  return {
    now,
    at: at.toISOString(),
    ...compare(hours, now, at),
    servers: found.map(({ read_at, is_known, finding, ...server }) => ({
      ...server,
      online: is_known ? server.online : 0,
      is_known,
      unknown_since: is_known ? null : (read_at?.toISOString() ?? null),
      finding: scope.sees_all && !is_known ? finding : null,
    })),
    never_connected,
    refusals,
  };
}

/** The servers of the lines, each with its number of lines online, including servers that report none. */
async function readServers(db: Db, scope: Scope) {
  const [servers, own] = await Promise.all([
    db
      .selectFrom('cccam_servers')
      .leftJoin('server_presence', 'server_presence.server_id', 'cccam_servers.id')
      .where('cccam_servers.status', '<>', 'inactive')
      .select(['cccam_servers.id as server_id', 'cccam_servers.server_name'])
      .select(['server_presence.read_at', 'server_presence.finding'])
      .select(sql<boolean>`${isKnown}`.as('is_known'))
      .orderBy('cccam_servers.server_name')
      .execute(),
    scope.sees_all ? countByServer(db) : countOwnByServer(db, scope),
  ]);
  const byId = new Map(own.map(({ server_id, ...counts }) => [server_id, counts]));
  return servers.flatMap((server) => {
    const counts = byId.get(server.server_id);
    return counts && counts.lines > 0 ? [{ ...server, ...counts }] : [];
  });
}

/**
 * Lines by server, counted by index up to the limit, with the number online. Each line counts as online on one server.
 */
function countByServer(db: Db) {
  const server = sql.ref<string>('cccam_servers.id');
  const lines = db.selectFrom('users').where('users.server_id', '=', server);
  const first = countUpTo(MOST_COUNTED, lines);
  const further = countUpTo(MOST_COUNTED, db.selectFrom(furtherLines(server).as('line')));
  return db
    .selectFrom('cccam_servers')
    .leftJoin('server_presence', 'server_presence.server_id', 'cccam_servers.id')
    .select([
      'cccam_servers.id as server_id',
      sql<number>`least(${first} + ${further}, ${MOST_COUNTED})`.as('lines'),
    ])
    .select(sql<number>`coalesce(lines_online - lines_elsewhere, 0)`.as('online'))
    .execute();
}

/**
 * The account's own lines by server, with the number online, read from its lines because most lines
 * of a server may be someone else's.
 */
function countOwnByServer(db: Db, scope: Scope) {
  return visibleLines(db, scope)
    .leftJoin('line_presence', (join) =>
      join
        .onRef('line_presence.line_id', '=', 'users.id')
        .onRef('line_presence.server_id', '=', 'users.server_id')
        .on('line_presence.connections', '>', 0),
    )
    .select(reportingServer.as('server_id'))
    .select(sql<number>`count(*)`.as('lines'))
    .select(sql<number>`count(line_presence.line_id)`.as('online'))
    .groupBy(reportingServer)
    .execute();
}

interface HourFigure {
  hour: Date;
  lines: number | null;
  week_before: number | null;
}

/**
 * For each hour of today and of the same day a week before, the mean number of lines online: an hour's minutes online
 * divided by the minutes in which their server reported its sessions.
 */
async function readHours(db: Db, scope: Scope, { today, time_zone }: Days): Promise<HourFigure[]> {
  const ofDay = (day: Day) => sql<SqlBool>`hour >= ${startOfDay(day, time_zone)}
    and hour < ${startOfDay(day, time_zone, 1)}`;
  const weekBefore = addDays(today, -WEEK);
  // Each day is read separately, because one range of the index cannot leave out the days between.
  const minutesOf = (isInDay: Expression<SqlBool>) =>
    visibleLines(db, scope)
      .innerJoin('line_usage_hours', 'line_usage_hours.line_id', 'users.id')
      .where(isInDay)
      .select(['users.server_id', 'hour', 'minutes_online']);
  const minutes = scope.sees_all
    ? sql`select server_id, hour, line_minutes as minutes from server_presence_hours
        where (${ofDay(today)} or ${ofDay(weekBefore)})`
    : sql`select own.server_id, own.hour, sum(own.minutes_online) as minutes
        from (${minutesOf(ofDay(today))} union all ${minutesOf(ofDay(weekBefore))}) as own group by 1, 2`;
  const { rows } = await sql<HourFigure>`
    with known as (
      select known.hour, sum(coalesce(online.minutes, 0)::numeric / known.minutes_known)::float8 as lines
        from server_presence_hours as known left join (${minutes}) as online using (server_id, hour)
        where known.minutes_known > 0
          and (known.hour >= ${startOfDay(today, time_zone)} or known.hour < ${startOfDay(addDays(today, 1 - WEEK), time_zone)})
          and known.hour >= ${startOfDay(weekBefore, time_zone)}
        group by known.hour)
    select asked.hour, known.lines, before.lines as week_before
      from generate_series(${startOfDay(today, time_zone)},
          ${startOfDay(today, time_zone, 1)} - interval '1 second', interval '1 hour') as asked (hour)
        left join known on known.hour = date_trunc('hour', asked.hour)
        left join known as before
          on before.hour = date_trunc('hour', asked.hour - interval '7 days')
      order by asked.hour`.execute(db);
  return rows;
}

/** The highest number of the day, and the number at this time a week before. */
function compare(
  hours: readonly HourFigure[],
  now: number,
  at: Date,
): Pick<OnlineFigures, 'hours' | 'most' | 'week_before'> {
  const current = hours.findLast(({ hour }) => hour <= at);
  const rounded = (lines: number | null) => (lines === null ? null : Math.round(lines));
  const most = hours.reduce<OnlineFigures['most']>((best, { hour, lines }) => {
    const here = Math.max(rounded(lines) ?? 0, hour === current?.hour ? now : 0);
    return here > (best?.lines ?? 0) ? { lines: here, hour: hour.toISOString() } : best;
  }, null);
  return {
    most,
    week_before: rounded(current?.week_before ?? null),
    hours: hours.map(({ hour, lines, week_before }) => ({
      hour: hour.toISOString(),
      lines: rounded(lines),
      week_before: rounded(week_before),
    })),
  };
}

async function readNeverConnected(db: Db, scope: Scope, today: Day) {
  const never = lineSets(db, scope, today).never_connected;
  const [{ lines }, oldest] = await Promise.all([
    db.selectNoFrom(countUpTo(MOST_COUNTED, never).as('lines')).executeTakeFirstOrThrow(),
    never.select('users.added_date').orderBy('users.added_date').limit(1).executeTakeFirst(),
  ]);
  return { lines, oldest: oldest?.added_date ?? null };
}

/** Lines with most refusals in the last hours, without those for which that is usual. */
async function readRefusals(db: Db, scope: Scope, at: Date): Promise<OnlineFigures['refusals']> {
  const lines = await db
    .selectFrom(refusedLately(db, scope, at).as('lately'))
    .innerJoin('users', 'users.id', 'lately.line_id')
    .innerJoin('cccam_servers', 'cccam_servers.id', 'users.server_id')
    .innerJoin('auth_users as owner', 'owner.id', 'users.owner_id')
    .leftJoin('line_presence', 'line_presence.line_id', 'users.id')
    .leftJoin('server_presence', (join) =>
      join.on('server_presence.server_id', '=', reportingServer),
    )
    .select(presenceColumns)
    .select(['users.id', 'users.username', 'cccam_servers.server_name'])
    .select(accountName('owner').as('owner_name'))
    .orderBy('lately.share', 'desc')
    .orderBy('users.id')
    .execute();
  if (lines.length === 0) return [];
  const hours = await db
    .selectFrom('line_usage_hours')
    .select(['line_id', 'hour', 'requests_ok', 'requests_refused', 'requests_timed_out'])
    .where(
      'line_id',
      'in',
      lines.map(({ id }) => id),
    )
    .orderBy('hour')
    .execute();
  const byLine = Map.groupBy(hours, ({ line_id }) => line_id);
  return lines
    .flatMap((line) => {
      const { id: line_id, username, server_name, owner_name } = line;
      const found = findRefusals(byLine.get(line_id) ?? [], at, toPresence(line));
      if (!found) return [];
      const { share, since } = found;
      return [{ line_id, username, server_name, owner_name, share, since }];
    })
    .slice(0, MOST_REFUSED);
}

/** Lines with refusals in the last hours. Few have many, so they are counted before anything is joined. */
function refusedLately(db: Db, scope: Scope, at: Date) {
  const requests = sql`(requests_ok + requests_refused + requests_timed_out)`;
  const share = sql<number>`sum(requests_refused) / sum(${requests})::numeric`;
  return db
    .selectFrom('line_usage_hours')
    .where('hour', '>', sql<Date>`${at}::timestamptz - interval '2 hours'`)
    .where(
      sql<SqlBool>`requests_refused > 0
        and requests_refused >= ${sql.lit(MANY_REFUSED)}::float8 * ${requests}`,
    )
    .where(
      sql<SqlBool>`exists (select from line_presence
        where line_presence.line_id = line_usage_hours.line_id and (connections > 0
          or last_seen_at > ${at}::timestamptz - ${LEFT_WITHIN_MS} * interval '1 millisecond'))`,
    )
    .$if(!scope.sees_all, (hours) =>
      hours.where('line_id', 'in', visibleLines(db, scope).select('users.id')),
    )
    .groupBy('line_id')
    .having(sql<SqlBool>`sum(${requests}) >= ${sql.lit(ENOUGH_REQUESTS)}`)
    .select(['line_id', share.as('share')])
    .orderBy('share', 'desc')
    .orderBy('line_id')
    .limit(MOST_EXAMINED);
}
