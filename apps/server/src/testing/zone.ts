import { today } from '@linekeeper/contract/dates.ts';

/** Hours that a run takes, at most. */
const HOURS_OF_A_RUN = 3;

/**
 * The time zone for the panels, agents and browsers of a run, in which no day ends during the run.
 * Tests that read the day first and compare later would otherwise fail around midnight. The zone is
 * UTC or, in the evening of UTC, one where it is afternoon. All processes of a run use it.
 */
export function zoneFor(hourInUtc: number): string {
  return hourInUtc < 24 - HOURS_OF_A_RUN ? 'UTC' : 'Etc/GMT+6';
}

process.env.LINEKEEPER_TEST_ZONE ??= zoneFor(new Date().getUTCHours());
export const ZONE = process.env.LINEKEEPER_TEST_ZONE;

/** The last millisecond of a day in that zone, as the API returns it. */
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
