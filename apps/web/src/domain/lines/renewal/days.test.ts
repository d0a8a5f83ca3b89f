import { expect, test } from 'vitest';
import { isOffered, isSoldUntil, lastDayBefore, renewedDay } from './days.ts';

const today = '2026-11-21';

test('months count from the expiry, or from today where it has passed', () => {
  expect(renewedDay(6, '2026-11-24', today)).toBe('2027-05-24');
  expect(renewedDay(1, '2026-01-31', today)).toBe('2026-12-21');
});

test('a seller is offered a date after today and after the expiry, an administrator any', () => {
  const offers = (day: string, expiry: string, is_admin: boolean) =>
    isOffered(day, lastDayBefore(expiry, today, is_admin));
  for (const day of ['2026-11-20', '2026-11-21', '2026-11-24']) {
    expect(offers(day, '2026-11-24', false)).toBe(false);
    expect(offers(day, '2026-11-24', true)).toBe(true);
  }
  expect(offers('2026-11-25', '2026-11-24', false)).toBe(true);
  expect(offers('2026-11-21', '2026-11-01', false)).toBe(false);
  expect(offers('2026-11-22', '2026-11-01', false)).toBe(true);
});

test('nothing is sold beyond 2099', () => {
  expect(isSoldUntil('2099-12-31')).toBe(true);
  expect(isSoldUntil('2100-01-01')).toBe(false);
});
