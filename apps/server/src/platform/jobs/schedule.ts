import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';

/** When backups are due: each full hour, or each day at a time (HH:MM) in the panel's time zone. */
export type BackupSchedule = { every: 'hour' } | { every: 'day'; at: string };

/** Work of a day, at a time that the settings may say. A day that has ended is not made up for. */
interface Daily {
  every: 'day';
  at: string | ((db: Db) => Promise<string>);
  is_of_that_day: true;
}

/** Moments at which work is due. A backup schedule makes up for a moment that passed without its work. */
export type Moments = BackupSchedule | Daily;

/** Some seconds after the work was last begun, or at moments of the panel's time zone. */
export type When = { every: number } | Moments;

export const every = (seconds: number) => ({ every: seconds });

export const daily = (at: Daily['at']): Daily => ({ every: 'day', at, is_of_that_day: true });

/** null for "off", undefined for what is no schedule. */
export function readSchedule(text: string): BackupSchedule | null | undefined {
  if (text === 'off') return null;
  if (text === 'hourly') return { every: 'hour' };
  const at = /^daily ((?:[01]\d|2[0-3]):[0-5]\d)$/.exec(text)?.[1];
  return at === undefined ? undefined : { every: 'day', at };
}

/** The longest time in seconds between two backups of a schedule. */
export function secondsBetween({ every }: BackupSchedule): number {
  return every === 'hour' ? 3600 : 86_400;
}

/**
 * The last moment, at or before now, at which work was due. A time that the clock passes over in
 * spring counts as the same time after the change.
 */
export function lastDue(
  schedule: BackupSchedule,
  timeZone: string,
  now: RawBuilder<Date> = sql`now()`,
): RawBuilder<Date> {
  if (schedule.every === 'hour') return sql<Date>`date_trunc('hour', ${now})`;
  return sql<Date>`(
    select max(moment) from (
      select (((${now} at time zone ${timeZone})::date - back) + ${schedule.at}::time)
          at time zone ${timeZone} as moment
        from generate_series(0, 1) as back) as moments
      where moment <= ${now})`;
}
