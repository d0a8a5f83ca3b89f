import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { costOfMonths, firstPrices, type Price, worthOfMonths } from './pricing.ts';

describe('the table', () => {
  test.each([
    [1, 2],
    [3, 4],
    [6, 6],
    [12, 10],
    [24, 15],
  ])(
    '%i months cost %i credits',
    { tags: ['spec:9.1', 'spec:9.2', 'spec:9.3', 'spec:9.4', 'spec:9.5'] },
    (months, cost) => {
      expect(firstPrices).toContainEqual({ months, cost });
    },
  );

  test.each([0, 2, 4, 5, 7, 11, 13, 23, 25, 36, -1, 1.5, Number.NaN])(
    'a duration of %d months is not in it',
    { tags: ['spec:9.6'] },
    (months) => {
      expect(firstPrices.map((price) => price.months)).not.toContain(months);
    },
  );
});

const cost = (months: number) => costOfMonths(months, firstPrices);

describe('costOfMonths', () => {
  test.each([
    [0, 0],
    [1, 2],
    [2, 4],
    [4, 6],
    [7, 8],
    [9, 10],
    [12, 10],
    [13, 12],
    [18, 15],
    [24, 15],
    [25, 17],
    [48, 30],
  ])('%i months are covered for %i credits', (months, credits) => {
    expect(cost(months)).toBe(credits);
  });

  test('a term costs its own price, also if others would cover it for less', () => {
    const table = [
      { months: 1, cost: 2 },
      { months: 3, cost: 100 },
    ];
    expect([2, 3, 4].map((months) => costOfMonths(months, table))).toEqual([4, 100, 8]);
  });

  test('nothing lies below zero', () => {
    expect(cost(-3)).toBe(0);
  });

  test('no other choice of table entries is cheaper', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), (months) => {
        expect(cost(months)).toBe(leastByTryingAll(months));
      }),
      { numRuns: 61 },
    );
  });

  test('more months never cost less, and no more than a table entry that covers them', () => {
    for (let months = 1; months <= 120; months++) {
      expect(cost(months)).toBeGreaterThanOrEqual(cost(months - 1));
    }
    for (const price of firstPrices) expect(cost(price.months)).toBe(price.cost);
  });
});

/** Tries every combination of table entries; a fixed order of entries avoids repeated combinations. */
function leastByTryingAll(months: number, entries: readonly Price[] = firstPrices) {
  if (months <= 0) return 0;
  const [entry, ...others] = entries;
  if (!entry) return Number.POSITIVE_INFINITY;
  let least = Number.POSITIVE_INFINITY;
  for (let times = 0; (times - 1) * entry.months < months; times++) {
    const rest = leastByTryingAll(months - times * entry.months, others);
    least = Math.min(least, times * entry.cost + rest);
  }
  return least;
}

describe('worthOfMonths', () => {
  const table = fc.uniqueArray(
    fc.record({ months: fc.integer({ min: 1, max: 36 }), cost: fc.integer({ min: 1, max: 60 }) }),
    { selector: ({ months }) => months, minLength: 1, maxLength: 5 },
  );

  test('a term is worth its price unless others cost less, and nothing is worth nothing', () => {
    const property = fc.property(table, (prices) => {
      for (const one of prices) {
        const isBest = prices.every(
          ({ months, cost }) =>
            cost * one.months >= one.cost * months && (months <= one.months || cost >= one.cost),
        );
        const worth = worthOfMonths(one.months, prices);
        expect(worth).toBeLessThanOrEqual(one.cost + 1e-9);
        if (isBest) expect(worth).toBeCloseTo(one.cost);
      }
      expect([worthOfMonths(0, prices), worthOfMonths(-1, prices)]).toEqual([0, 0]);
    });
    fc.assert(property);
    for (const { months, cost } of firstPrices)
      expect(worthOfMonths(months, firstPrices)).toBe(cost);
    expect(worthOfMonths(3, [])).toBe(0);
  });

  test('months are worth no more than a special price of a shorter term makes them', () => {
    const special = firstPrices.map((price) =>
      price.months === 12 ? { ...price, cost: 3 } : price,
    );
    const worths = [12, 18, 24, 36].map((months) => worthOfMonths(months, special));
    expect(worths).toEqual([3, 4.5, 6, 9]);
  });

  test('a part of the way between two terms is worth that part of their difference', () => {
    const worths = [0.5, 2, 4.5, 9, 18, 30].map((months) => worthOfMonths(months, firstPrices));
    expect(worths).toEqual([1, 3, 5, 8, 12.5, 21]);
  });

  test('more months are worth no less where longer terms cost no less', () => {
    const property = fc.property(
      table,
      fc.float({ min: 0, max: 80, noNaN: true }),
      (prices, at) => {
        const costs = prices.map(({ cost }) => cost).sort((a, b) => a - b);
        const rising = prices
          .toSorted((a, b) => a.months - b.months)
          .map(({ months }, index) => ({ months, cost: costs[index] ?? 0 }));
        const [less, more] = [worthOfMonths(at, rising), worthOfMonths(at + 0.5, rising)];
        expect(more).toBeGreaterThanOrEqual(less - 1e-9);
      },
    );
    fc.assert(property);
  });
});
