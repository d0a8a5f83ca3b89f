import { expect, test } from 'vitest';
import { longestPayable } from './use-payable.ts';

const upTo = (most: number) => (months: number) => months <= most;

test('the longest term that can be paid is chosen, in whatever order terms are offered', () => {
  expect(longestPayable(12, [24, 1, 12, 6], upTo(24))).toBe(12);
  expect(longestPayable(12, [24, 1, 12, 6], upTo(7))).toBe(6);
});

test('without one that can be paid the term stays as it was', () => {
  expect(longestPayable(3, [3, 1], () => false)).toBe(3);
});
