import { timeIn } from '@linekeeper/contract/dates.ts';
import { expect, test } from 'vitest';
import { zoneFor } from './zone.ts';

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
