import type { Day } from '@linekeeper/contract/dates.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { startOfDay } from './clock.ts';

interface Days {
  /** First and last day, inclusive. */
  from?: Day | undefined;
  to?: Day | undefined;
}

/** Conditions: a timestamp lies within days of the panel's time zone. */
export function withinDays(
  column: string,
  { from, to }: Days,
  time_zone: string,
): RawBuilder<SqlBool>[] {
  const at = sql.ref(column);
  return [
    ...(from ? [sql<SqlBool>`${at} >= ${startOfDay(from, time_zone)}`] : []),
    ...(to ? [sql<SqlBool>`${at} < ${startOfDay(to, time_zone, 1)}`] : []),
  ];
}
