import { expect, test } from 'vitest';
import { changedLimits, isNear, leftOf, toldAt, valuesOf } from './limit-values.ts';

const none = { limit: null, used: 3, bound: null };
const stored = valuesOf({
  lines: { limit: 200, used: 180, bound: 200 },
  accounts: none,
  trials: none,
  max_months: { limit: 24, bound: 12 },
  may_delete: { limit: true, bound: false },
  plan_ids: { limit: ['b'], bound: ['b'] },
  ends_on: { limit: '2026-12-31', bound: '2026-06-30' },
});

test('the form holds the account’s own limits, not those of accounts above', () => {
  expect(stored).toEqual({
    lines: 200,
    accounts: null,
    trials: null,
    max_months: 24,
    may_delete: true,
    plan_ids: ['b'],
    ends_on: '31-12-2026',
  });
});

test('what would change is named with both values', () => {
  expect(changedLimits(stored, { ...stored, plan_ids: ['b'] })).toEqual([]);
  expect(changedLimits(stored, { ...stored, accounts: 5, ends_on: null })).toEqual([
    { field: 'accounts', before: null, after: 5 },
    { field: 'ends_on', before: '31-12-2026', after: null },
  ]);
});

test('a limit is near from 80 percent, and with none there is no end', () => {
  expect(leftOf(none)).toBeNull();
  expect(isNear(none)).toBe(false);
  expect(isNear({ limit: 200, used: 159, bound: 200 })).toBe(false);
  expect(isNear({ limit: 200, used: 160, bound: 200 })).toBe(true);
  expect(leftOf({ limit: 200, used: 180, bound: 200 })).toBe(20);
  expect(leftOf({ limit: 1, used: 3, bound: 1 })).toBe(0);
});

test('an account is told by its own limit', () => {
  expect(toldAt({ limit: 200, used: 180, bound: 190 })).toBe(160);
  expect(toldAt({ limit: 3, used: 2, bound: 3 })).toBeNull();
  expect(toldAt({ limit: 3, used: 3, bound: 3 })).toBe(3);
  expect(toldAt({ limit: null, used: 9, bound: 9 })).toBeNull();
  expect(toldAt({ limit: 0, used: 0, bound: 0 })).toBeNull();
});
