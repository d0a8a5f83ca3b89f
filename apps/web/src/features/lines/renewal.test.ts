import { expect, test } from 'vitest';
import { isSoldUntil, renewalOf } from './renewal.ts';

const today = '2026-11-21';

test('months count from the expiry, or from today where it has passed', () => {
  expect(renewalOf({ subscription_months: 6 }, '2026-11-24', today)).toEqual({
    cost: 6,
    expiry_date: '2027-05-24',
  });
  expect(renewalOf({ subscription_months: 1 }, '2026-01-31', today)).toEqual({
    cost: 2,
    expiry_date: '2026-12-21',
  });
});

test('a date costs the cheapest months that reach it, in either form', () => {
  expect(renewalOf({ expiry_date: '24-08-2027' }, '2026-11-24', today).cost).toBe(10);
  expect(renewalOf({ expiry_date: '2027-12-24' }, '2026-11-24', today).cost).toBe(12);
});

test('a date within what is paid for costs nothing', () => {
  const earlier = { cost: 0, expiry_date: '2026-11-23' };
  expect(renewalOf({ expiry_date: '23-11-2026' }, '2026-11-24', today)).toEqual(earlier);
});

test('nothing is sold beyond 2099', () => {
  expect(isSoldUntil('2099-12-31')).toBe(true);
  expect(isSoldUntil('2100-01-01')).toBe(false);
});
