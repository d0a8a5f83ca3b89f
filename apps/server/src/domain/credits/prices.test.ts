import { STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import { firstPrices } from '@linekeeper/contract/pricing.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PriceOfTerm } from '../../db/schema/job-schema.ts';
import { pricesOf, type Seller } from './prices.ts';

const plans = [
  {
    plan_id: STANDARD_PLAN,
    terms: firstPrices.map(({ months, cost }) => ({ months, credits: cost, is_offered: true })),
  },
];
const at = (name: number) => `account ${name}`;

/** Accounts one below the other, with price lists of the panel, of accounts above, and of other accounts. */
const ways = fc
  .array(
    fc.option(
      fc.record({
        owner: fc.option(fc.nat({ max: 6 })),
        factor: fc.option(fc.integer({ min: 1, max: 300 })),
        terms: fc.dictionary(
          fc.constantFrom('1', '3', '6', '12', '24'),
          fc.integer({ min: 1, max: 40 }),
        ),
      }),
    ),
    { maxLength: 6 },
  )
  .map((lists): Seller[] =>
    lists.map((list, index) => ({
      id: at(index),
      list: list && {
        id: `list ${index}`,
        name: `list ${index}`,
        owner_id: list.owner === null ? null : at(list.owner),
        factor_percent: list.factor,
        terms: Object.entries(list.terms).map(([months, credits]) => ({
          ...{ plan_id: STANDARD_PLAN, months: Number(months), credits },
        })),
      },
    })),
  );

describe('on any way from the top down', () => {
  test('nobody pays less than the account above, and every price is a whole credit or more', () => {
    fc.assert(
      fc.property(ways, (way) => {
        const steps = way.map((_, depth) => pricesOf(plans, way.slice(0, depth + 1)));
        for (const [depth, prices] of steps.entries()) {
          for (const [index, { cost }] of prices.entries()) {
            expect(Number.isInteger(cost) && cost >= 1).toBe(true);
            const above = depth > 0 ? steps[depth - 1]?.[index]?.cost : undefined;
            expect(cost).toBeGreaterThanOrEqual(above ?? 1);
          }
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('an account without a list pays what the account above pays, for the same reason', () => {
    fc.assert(
      fc.property(ways, (way) => {
        const longer = [...way, { id: 'new', list: null }];
        expect(own(pricesOf(plans, longer))).toEqual(own(pricesOf(plans, way)));
      }),
    );
  });
});

/** The prices of an account by its own list, without the lists of the accounts above. */
const own = (prices: readonly PriceOfTerm[]) => prices.map(({ above: _, ...price }) => price);

test('a list counts only below its owner', () => {
  const list = { id: 'l', name: 'l', owner_id: 'elsewhere', factor_percent: 10, terms: [] };
  expect(own(pricesOf(plans, [{ id: 'a', list }]))).toEqual(own(pricesOf(plans, [])));
});

test('a list that has no price for a term, or the same, does not decide it', () => {
  const terms = [{ plan_id: STANDARD_PLAN, months: 12, credits: 8 }];
  const list = { id: 'l', name: 'l', owner_id: null, factor_percent: null, terms };
  const prices = pricesOf(plans, [{ id: 'a', list }]);
  expect(prices.map(({ cost, from }) => [cost, from?.id])).toEqual([
    [2, undefined],
    [4, undefined],
    [6, undefined],
    [8, 'l'],
    [15, undefined],
  ]);
});

test('nested factors end at the most credits that there are', () => {
  const list = { id: 'l', name: 'l', factor_percent: 10_000, terms: [] };
  const way = Array.from({ length: 8 }, (_, depth) => ({
    id: `${depth}`,
    list: { ...list, owner_id: depth > 0 ? `${depth - 1}` : null },
  }));
  expect(pricesOf(plans, way).map(({ cost }) => cost)).toEqual(plans[0]?.terms.map(() => 1e9));
});

test('a factor is exact in hundredths', () => {
  const plan = [{ plan_id: STANDARD_PLAN, terms: [{ months: 1, credits: 100, is_offered: true }] }];
  const cost = (factor_percent: number) => {
    const list = { id: 'l', name: 'l', owner_id: null, factor_percent, terms: [] };
    return pricesOf(plan, [{ id: 'a', list }])[0]?.cost;
  };
  expect([90, 110, 107, 1, 33].map(cost)).toEqual([90, 110, 107, 1, 33]);
});
