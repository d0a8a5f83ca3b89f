import { expect, test } from 'vitest';
import { termOnSale } from './prices.ts';

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
