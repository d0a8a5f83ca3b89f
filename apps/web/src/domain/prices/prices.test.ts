import { expect, test } from 'vitest';
import { longestPayable, lowestCost, priceIn, termOnSale, termsOf } from './prices.ts';

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

const price = (plan_id: string, months: number, cost: number) => ({
  plan_id,
  months,
  cost,
  from: null,
});
const prices = [price('a', 1, 2), price('a', 12, 10), price('b', 3, 9), price('b', 1, 4)];

test('a plan has its own terms and prices', () => {
  expect(termsOf(prices, 'b')).toEqual([3, 1]);
  expect(priceIn(prices, 1, 'b')).toBe(4);
  expect(priceIn(prices, 12, 'b')).toBeUndefined();
  expect(lowestCost(prices, 'b')).toBe(4);
  expect(lowestCost(prices, 'c')).toBeUndefined();
});

test('for lines of several plans a term is named once, with a price where all have the same', () => {
  expect(termsOf(prices)).toEqual([1, 12, 3]);
  expect(priceIn(prices, 12)).toBe(10);
  expect(priceIn(prices, 1)).toBeUndefined();
});
