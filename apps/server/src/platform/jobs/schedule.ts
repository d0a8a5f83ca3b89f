import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';

/**
 * The schedule of work: some seconds after it last ended, every full hour, or every day at a time
 * (HH:MM) of the panel's time zone, which a setting may contain. Work that was not done at its
 * time, because the panel was down or the work failed, is done later: hourly work always, daily
 * work until the day ends, and on later days too if it `makes_up`.
 */
export type When =
  | { kind: 'every'; seconds: number }
  | { kind: 'hourly' }
  | { kind: 'daily'; at: string | ((db: Db) => Promise<string>); makes_up: boolean };

export type Moments = Exclude<When, { kind: 'every' }>;

export type BackupSchedule = { kind: 'hourly' } | { kind: 'daily'; at: string; makes_up: true };

export const every = (seconds: number): When => ({ kind: 'every', seconds });

export const daily = (at: string | ((db: Db) => Promise<string>)): When => ({
  kind: 'daily',
  at,
  makes_up: false,
});

/** The schedule in a setting; null for "off", undefined for an invalid text. */
export function readSchedule(text: string): BackupSchedule | null | undefined {
  if (text === 'off') return null;
  if (text === 'hourly') return { kind: 'hourly' };
  const at = /^daily ((?:[01]\d|2[0-3]):[0-5]\d)$/.exec(text)?.[1];
  return at === undefined ? undefined : { kind: 'daily', at, makes_up: true };
}

/** The longest time in seconds between two backups of a schedule. */
export function secondsBetween({ kind }: BackupSchedule): number {
  return kind === 'hourly' ? 3600 : 86_400;
}

/**
 * SQL of the last time, at or before now, at which work was due: daily at the time `at`, or each full hour if that is
 * null. A time that the clock skips in spring counts as the same time after the change, so 02:30 is 03:30.
 */
export function lastDue(
  at: string | null,
  timeZone: string,
  now: RawBuilder<Date> = sql`now()`,
): RawBuilder<Date> {
  if (at === null) return sql<Date>`date_trunc('hour', ${now})`;
  return sql<Date>`(
    select max(moment) from (
      select (((${now} at time zone ${timeZone})::date - back) + ${at}::time)
          at time zone ${timeZone} as moment
        from generate_series(0, 1) as back) as moments
      where moment <= ${now})`;
}
