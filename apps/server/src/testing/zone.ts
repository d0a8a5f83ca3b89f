import { today } from '@linekeeper/contract/dates.ts';

/** A run takes less. */
const HOURS_OF_A_RUN = 3;

/**
 * The time zone of the panels, agents and browsers of a run, in which no day ends while it lasts: tests that
 * take the day first and look later would otherwise fail around midnight. UTC, or in its evening a zone
 * where it is afternoon. Processes that a run starts have the same.
 */
export function zoneFor(hourInUtc: number): string {
  return hourInUtc < 24 - HOURS_OF_A_RUN ? 'UTC' : 'Etc/GMT+6';
}

process.env.LINEKEEPER_TEST_ZONE ??= zoneFor(new Date().getUTCHours());
export const ZONE = process.env.LINEKEEPER_TEST_ZONE;

/** The last millisecond of a day in that zone, as the API says it. */
export function lastMomentOf(day: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: ZONE, timeZoneName: 'longOffset' });
  const name = parts.formatToParts(new Date(`${day}T12:00:00Z`));
  const offset = name.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', '');
  return new Date(`${day}T23:59:59.999${offset || 'Z'}`).toISOString();
}

/** Day and hour, from 0 to 23, in `timeZone` (an IANA name) at the moment `now`. */
export function timeIn(timeZone: string, now: Date = new Date()) {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' });
  return { day: today(timeZone, now), hour: Number(clock.format(now)) };
}
