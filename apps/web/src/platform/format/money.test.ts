import { expect, test } from 'vitest';
import { formatPrice } from '#platform/format/format-price.ts';
import { minorOf, typedPrice } from './money.ts';

test('a price is read as it is typed, without losing a cent', () => {
  const typed = ['50', '49.9', '49,90', ' 0.07 ', '999999.99', '19.99', '1.10'];
  expect(typed.map(minorOf)).toEqual([5000, 4990, 4990, 7, 99_999_999, 1999, 110]);
  for (const minor of [7, 110, 1999, 99_999_999]) expect(minorOf(typedPrice(minor))).toBe(minor);
});

test('a price is written as the language does', () => {
  expect(formatPrice(22_500, 'EUR', 'en')).toBe('€225.00');
  expect(formatPrice(22_500, 'PLN', 'pl')).toMatch(/^225,00\szł$/);
  expect(formatPrice(0.25, 'USD', 'en')).toBe('$0.0025');
});
