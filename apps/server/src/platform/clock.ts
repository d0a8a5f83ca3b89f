import type { Day } from '@linekeeper/contract/dates.ts';
import type { Expiry } from '@linekeeper/contract/fields/expiry.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** The moment some seconds before the present transaction began. */
export function secondsAgo(seconds: number): RawBuilder<Date> {
  return sql<Date>`(now() - make_interval(secs => ${seconds}))`;
}

/** The moment some seconds after the present transaction began. */
export function secondsAhead(seconds: number): RawBuilder<Date> {
  return sql<Date>`(now() + make_interval(secs => ${seconds}))`;
}

/** SQL of the time at which a day begins in a time zone; with `later`, the day that many days after it. */
export function startOfDay(day: Day, time_zone: string, later = 0): RawBuilder<Date> {
  return sql<Date>`((${day}::date + ${later}::integer)::timestamp at time zone ${time_zone})`;
}

/** SQL conditions: a timestamp is within days of a time zone, the first and the last included. */
export function withinDays(
  column: string,
  { from, to }: { from?: Day | undefined; to?: Day | undefined },
  time_zone: string,
): RawBuilder<SqlBool>[] {
  const at = sql.ref(column);
  return [
    ...(from ? [sql<SqlBool>`${at} >= ${startOfDay(from, time_zone)}`] : []),
    ...(to ? [sql<SqlBool>`${at} < ${startOfDay(to, time_zone, 1)}`] : []),
  ];
}

/** SQL of the last moment of an expiry; for a day its last millisecond, so that the date shown is that day. */
export function endOf(expiry: Expiry, time_zone: string): RawBuilder<Date> {
  if ('moment' in expiry) return sql<Date>`${expiry.moment}::timestamptz`;
  return sql<Date>`(${startOfDay(expiry.day, time_zone, 1)} - interval '1 millisecond')`;
}

/** A deadline within this process, on a monotonic clock. `left()` is in milliseconds. */
export function deadline(ms: number): { left(): number; isOver(): boolean } {
  const endsAt = performance.now() + ms;
  const left = () => Math.max(0, endsAt - performance.now());
  return { left, isOver: () => left() === 0 };
}
