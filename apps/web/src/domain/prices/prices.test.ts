import { expect, test } from 'vitest';
import { longestPayable, termOnSale } from './prices.ts';

test('a remembered term is chosen as long as it is on sale', () => {
  expect(termOnSale(12, [3, 12, 1])).toBe(12);
});

test('a term that is no longer on sale, or that nobody has chosen yet, is the first that is offered', () => {
  expect(termOnSale(24, [3, 12, 1])).toBe(3);
  expect(termOnSale(null, [3, 12, 1])).toBe(3);
});

test('without prices no term is chosen', () => {
  expect(termOnSale(12, undefined)).toBeUndefined();
  expect(termOnSale(12, [])).toBeUndefined();
});

const upTo = (most: number) => (months: number) => months <= most;

test('the longest term that can be paid is chosen, in whatever order terms are offered', () => {
  expect(longestPayable(12, [24, 1, 12, 6], upTo(24))).toBe(12);
  expect(longestPayable(12, [24, 1, 12, 6], upTo(7))).toBe(6);
});

test('without one that can be paid the term stays as it was', () => {
  expect(longestPayable(3, [3, 1], () => false)).toBe(3);
});
