import { expect, test } from 'vitest';
import { timeIn, zoneFor } from './zone.ts';

test('whenever a run begins, its day does not end within three hours', () => {
  for (let minute = 0; minute < 24 * 60; minute += 10) {
    const start = Date.UTC(2026, 10, 26, 0, minute);
    const zone = zoneFor(new Date(start).getUTCHours());
    const [begun, later] = [start, start + 3 * 3_600_000 - 1].map(
      (moment) => timeIn(zone, new Date(moment)).day,
    );
    expect(later, `${minute} minutes after midnight`).toBe(begun);
  }
});

test.each([
  ['UTC', '2026-11-22T00:00:00Z', '2026-11-22', 0],
  ['Europe/Berlin', '2026-11-22T23:30:00Z', '2026-11-23', 0],
  ['Asia/Kolkata', '2026-11-22T17:45:00Z', '2026-11-22', 23],
  // The clock is set forward from 2 to 3 on this day.
  ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29', 3],
])('in %s it is at %s the day %s, hour %i', (zone, now, day, hour) => {
  expect(timeIn(zone, new Date(now))).toEqual({ day, hour });
});
