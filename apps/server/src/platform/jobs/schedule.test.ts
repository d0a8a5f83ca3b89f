import { type CompiledQuery, sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { databases, startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { lastDue, readSchedule } from './schedule.ts';

describe('a schedule', () => {
  test.each([
    ['off', null],
    ['hourly', { kind: 'hourly' }],
    ['daily 03:30', { kind: 'daily', at: '03:30', makes_up: true }],
    ['daily 23:59', { kind: 'daily', at: '23:59', makes_up: true }],
  ])('%s is read', (text, schedule) => {
    expect(readSchedule(text)).toEqual(schedule);
  });

  test.each([
    '',
    'on',
    'daily',
    '03:30',
    'daily 24:00',
    'daily 03:60',
    'daily 3:30',
    'Daily 03:30',
  ])('%j is none', (text) => {
    expect(readSchedule(text)).toBeUndefined();
  });
});

describe.each(databases)('the last moment at which a backup was due on %s', (kind) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
  });

  /** Reads the next run as if the present were another time: the statement's now() is replaced. */
  async function dueAt(now: string, text: string, zone: string): Promise<string> {
    const schedule = readSchedule(text);
    if (!schedule) throw new Error('no schedule');
    const { db } = panel.services;
    const at = schedule.kind === 'daily' ? schedule.at : null;
    const query = sql<{ due: Date }>`select ${lastDue(at, zone)} as due`.compile(db);
    const moved: CompiledQuery<{ due: Date }> = {
      ...query,
      sql: query.sql.replaceAll('now()', `'${now}'::timestamptz`),
    };
    const { rows } = await db.executeQuery(moved);
    return rows[0]?.due.toISOString() ?? '';
  }

  test.each([
    ['2026-11-23T10:20:30Z', 'hourly', 'UTC', '2026-11-23T10:00:00.000Z'],
    ['2026-11-23T10:20:30Z', 'daily 03:30', 'UTC', '2026-11-23T03:30:00.000Z'],
    ['2026-11-23T03:30:00Z', 'daily 03:30', 'UTC', '2026-11-23T03:30:00.000Z'],
    ['2026-11-23T03:29:59Z', 'daily 03:30', 'UTC', '2026-11-22T03:30:00.000Z'],
    ['2026-11-23T03:29:59Z', 'daily 03:30', 'Europe/Berlin', '2026-11-23T02:30:00.000Z'],
    // In this time zone it is already the 24th.
    ['2026-11-23T23:29:59Z', 'daily 03:30', 'Asia/Tokyo', '2026-11-23T18:30:00.000Z'],
    // The schedule in summer time, and in the night in which 02:30 does not exist.
    ['2026-07-01T12:00:00Z', 'daily 02:30', 'Europe/Berlin', '2026-07-01T00:30:00.000Z'],
    ['2026-03-29T12:00:00Z', 'daily 02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ])('at %s, %s in %s, is known', async (now, text, zone, due) => {
    expect(await dueAt(now, text, zone)).toBe(due);
  });
});
