import type { Limits } from '@linekeeper/contract/accounts/limits.ts';
import { expect, test } from 'vitest';
import { endOf, isReached } from './limits.ts';

const none = { limit: null, used: 7, bound: null };
const limits: Limits = {
  lines: none,
  accounts: none,
  trials: none,
  max_months: { limit: null, bound: null },
  may_delete: { limit: true, bound: true },
  plan_ids: { limit: null, bound: null },
  ends_on: { limit: null, bound: null },
};

test('a limit is reached at its last place, and beyond it', () => {
  expect(isReached(none)).toBe(false);
  expect(isReached({ limit: 8, used: 7, bound: 8 })).toBe(false);
  expect(isReached({ limit: 7, used: 7, bound: 7 })).toBe(true);
  expect(isReached({ limit: 1, used: 7, bound: 1 })).toBe(true);
});

test('an account sells through its last day', () => {
  const ending = { ...limits, ends_on: { limit: null, bound: '2030-01-31' } };
  expect(endOf(limits, '2030-01-31')).toBeNull();
  expect(endOf(ending, '2030-01-31')).toBeNull();
  expect(endOf(ending, '2030-02-01')).toBe('2030-01-31');
});
