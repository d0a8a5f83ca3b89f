import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  addMonths,
  daysBetween,
  formatDay,
  laterDay,
  monthsToCover,
  parseDay,
  today,
} from './dates.ts';

const anyDay = fc
  .integer({ min: 0, max: daysBetween('1900-01-01', '2099-12-31') })
  .map((days) => addDays('1900-01-01', days));

describe('parseDay', () => {
  test.each([
    ['21-11-2026', '2026-11-21'],
    ['2026-11-21', '2026-11-21'],
    ['01-01-1900', '1900-01-01'],
    ['31-12-2099', '2099-12-31'],
    ['29-02-2028', '2028-02-29'],
    ['2000-02-29', '2000-02-29'],
  ])('takes %s as %s', (text, day) => {
    expect(parseDay(text)).toBe(day);
  });

  test.each([
    ['31-12-1899', 'before 1900'],
    ['2100-01-01', 'after 2099'],
    ['29-02-2026', 'not a leap year'],
    ['29-02-1900', 'a century is no leap year'],
    ['2026-02-30', 'February has no 30th'],
    ['31-04-2026', 'April has 30 days'],
    ['00-01-2026', 'no day 0'],
    ['01-00-2026', 'no month 0'],
    ['01-13-2026', 'no month 13'],
    ['11-21-2026', 'the month stands second'],
    ['1-1-2026', 'one digit'],
    ['21/11/2026', 'slashes'],
    ['21.11.2026', 'dots'],
    ['21-11-26', 'two-digit year'],
    ['2026-11-21T00:00:00Z', 'a moment'],
    [' 21-11-2026', 'a space'],
    ['21-11-2026\n', 'a line feed'],
    ['٢١-١١-٢٠٢٦', 'digits of another script'],
    ['', 'nothing'],
  ])('refuses %j: %s', { tags: ['spec:9.20'] }, (text) => {
    expect(parseDay(text)).toBeNull();
  });

  test('reads back every day of 1900 to 2099 in both forms', { tags: ['spec:3.14'] }, () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        expect(parseDay(day)).toBe(day);
        expect(parseDay(formatDay(day))).toBe(day);
      }),
    );
  });
});

describe('addMonths', () => {
  test.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2028-01-31', 1, '2028-02-29'],
    ['2026-03-31', 1, '2026-04-30'],
    ['2026-11-21', 1, '2026-12-21'],
    ['2026-11-30', 3, '2027-02-28'],
    ['2026-12-15', 1, '2027-01-15'],
    ['2028-02-29', 12, '2029-02-28'],
    ['2028-02-29', 24, '2030-02-28'],
    ['2026-06-10', 0, '2026-06-10'],
  ])('%s and %i months is %s', (day, months, later) => {
    expect(addMonths(day, months)).toBe(later);
  });

  test('lands in the month asked for, on the same day or on its last', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 0, max: 120 }), (day, months) => {
        const later = addMonths(day, months);
        const monthOf = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7));
        expect(monthOf(later) - monthOf(day)).toBe(months);
        const isLastOfMonth = addDays(later, 1).endsWith('-01');
        expect(later.slice(8) === day.slice(8) || isLastOfMonth).toBe(true);
      }),
    );
  });
});

describe('days between', () => {
  test.each([
    ['2026-03-28', '2026-03-30', 2], // The days include the night in which Europe's clocks go forward.
    ['2026-10-24', '2026-10-26', 2], // The days include the night in which Europe's clocks go back.
    ['2026-12-31', '2027-01-01', 1],
    ['2028-02-28', '2028-03-01', 2],
    ['2026-11-21', '2026-11-21', 0],
    ['2026-11-21', '2026-11-14', -7],
  ])('%s and %s are %i days', (from, to, days) => {
    expect(daysBetween(from, to)).toBe(days);
    expect(addDays(from, days)).toBe(to);
  });

  test('laterDay tells which comes last', () => {
    expect(laterDay('2026-11-21', '2026-12-01')).toBe('2026-12-01');
    expect(laterDay('2027-01-01', '2026-12-01')).toBe('2027-01-01');
  });
});

describe('monthsToCover', () => {
  test.each([
    ['2026-11-21', '2026-11-21', 0],
    ['2026-11-21', '2026-01-01', 0],
    ['2026-11-21', '2026-11-22', 1],
    ['2026-11-21', '2026-12-21', 1],
    ['2026-11-21', '2026-12-22', 2],
    ['2026-01-31', '2026-02-28', 1],
    ['2026-01-31', '2026-03-01', 2],
    ['2026-11-21', '2027-08-21', 9],
  ])('from %s to %s takes %i months', (base, target, months) => {
    expect(monthsToCover(base, target)).toBe(months);
  });

  test('is the least number of months that reach the day', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 1, max: 2000 }), (base, days) => {
        const target = addDays(base, days);
        const months = monthsToCover(base, target);
        expect(addMonths(base, months) >= target).toBe(true);
        expect(addMonths(base, months - 1) < target).toBe(true);
      }),
    );
  });
});

describe('today', () => {
  test.each([
    ['UTC', '2026-11-21T23:59:59.999Z', '2026-11-21'],
    ['UTC', '2026-11-22T00:00:00Z', '2026-11-22'],
    ['Europe/Berlin', '2026-11-21T22:59:59Z', '2026-11-21'],
    ['Europe/Berlin', '2026-11-21T23:00:00Z', '2026-11-22'],
    ['Europe/Berlin', '2026-07-21T22:00:00Z', '2026-07-22'],
    ['America/Sao_Paulo', '2027-01-01T02:59:59Z', '2026-12-31'],
    ['America/Sao_Paulo', '2027-01-01T03:00:00Z', '2027-01-01'],
    ['Pacific/Kiritimati', '2026-11-21T10:00:00Z', '2026-11-22'],
  ])('in %s at %s it is %s', (timeZone, now, day) => {
    expect(today(timeZone, new Date(now))).toBe(day);
  });
});
