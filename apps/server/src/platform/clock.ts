import type { Day } from '@linekeeper/contract/dates.ts';
import type { Expiry } from '@linekeeper/contract/fields/expiry.ts';
import { type RawBuilder, sql } from 'kysely';

/**
 * True if a stored time, written as "n seconds from now", has come. All stored times that something
 * waits for are compared in this way, never directly with now():
 *
 * A computer's clock can be wrong and corrected later. A time stored while the clock was a day
 * ahead would be waited for a whole day: a lease of 15 seconds would last a day, and a sale would
 * reach its server a day late. A time further ahead than it can ever have been written comes from a
 * wrong clock and counts as reached.
 *
 * `now()` is the start of the transaction, and a later one may have written the time since. The
 * comparison with the greatest possible time therefore uses clock_timestamp().
 */
export function isReached(moment: RawBuilder<unknown>, seconds: number): RawBuilder<boolean> {
  return sql<boolean>`(${moment} <= now()
    or ${moment} > clock_timestamp() + make_interval(secs => ${seconds}))`;
}

/** True if this many seconds have passed since a stored time, or if that time is in the future. */
export function hasPassedSince(moment: RawBuilder<unknown>, seconds: number): RawBuilder<boolean> {
  return isReached(sql`(${moment} + make_interval(secs => ${seconds}))`, seconds);
}

/** True if a time written as now() is in the future, because the clock was set back since. */
export function liesAhead(moment: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${moment} > clock_timestamp())`;
}

/** The moment at which a day begins in a time zone, or the day some days after it. */
export function startOfDay(day: Day, time_zone: string, later = 0): RawBuilder<Date> {
  return sql<Date>`((${day}::date + ${later}::integer)::timestamp at time zone ${time_zone})`;
}

/** A day counts to its last millisecond, so that the moment shown is of that day. */
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
