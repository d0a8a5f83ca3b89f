import { addDays, addMonths, today } from '@linekeeper/contract/dates.ts';
import { expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { type Recorded, withFixedValues } from './fixed-values.ts';

const timeZone = 'Europe/Berlin';

/** Records what a panel at this moment returns about a line, its key and a page. */
function recordedAt(moment: string) {
  const startedAt = new Date(moment);
  const day = today(timeZone, startedAt);
  const id = newId();
  const later = new Date(startedAt.getTime() + 90_000);
  const line = {
    id,
    created_at: later.toISOString(),
    added_date: day,
    expiry_date: addMonths(day, 6),
    trial: addDays(day, 2),
  };
  const key = `lk_${newId()}`;
  const cursor = JSON.stringify(['-created_at', later.toISOString().replace('T', ' '), id]);
  const reply = {
    line,
    key,
    expires_at: new Date(later.getTime() + 7 * 86_400_000).toISOString(),
    latency_ms: Math.round(startedAt.getTime() / 1000) % 50,
    next_cursor: Buffer.from(cursor).toString('base64url'),
  };
  const csv = `"${id}","${key}","${later.toISOString()}"`;
  return withFixedValues(
    new Map<string, Recorded<{ reply: unknown }>>([
      ['createLine', { example: { reply }, saidAt: later }],
      ['linesCsv', { example: { reply: csv }, saidAt: later }],
    ]),
    { startedAt, timeZone, replaced: new Map() },
  );
}

test('two recordings say the same, on any day', () => {
  const first = recordedAt('2026-11-29T09:49:17.187Z');
  expect(first.get('createLine')?.reply).toMatchObject({
    line: { added_date: '2030-03-14', expiry_date: '2030-09-14', trial: '2030-03-16' },
    expires_at: '2030-03-21T09:40:00.000Z',
  });
  for (const moment of [
    '2026-11-30T21:10:00.000Z',
    '2027-01-31T12:00:00Z',
    '2028-02-29T04:31:00Z',
  ]) {
    expect(recordedAt(moment)).toEqual(first);
  }
});
