import { addDays, addMonths, type Day, daysBetween } from '@linekeeper/contract/dates.ts';
import { type Price, worthOfMonths } from '@linekeeper/contract/pricing.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Payment, planDifference } from './plan-difference.ts';
import type { Payer } from './price.ts';

const TODAY = '2026-11-30';

const table = fc.uniqueArray(
  fc.record({ months: fc.integer({ min: 1, max: 24 }), cost: fc.integer({ min: 1, max: 60 }) }),
  { selector: ({ months }) => months, minLength: 1, maxLength: 4 },
);
const tables = fc.array(table, { minLength: 2, maxLength: 3 });

/** One line and its payer. Days pass, prices change, and the ledger is written as the panel writes it. */
class Shop {
  today: Day = TODAY;
  plan = '0';
  cost = 0;
  payments: Payment[] = [];
  tables: readonly (readonly Price[])[];
  expiry_date: Day;
  constructor(given: readonly (readonly Price[])[], months: number, cost: number) {
    this.tables = given;
    this.expiry_date = addMonths(TODAY, months);
    this.pay(months, cost);
  }

  pay(months: number, amount: number, begins_on: Day | null = null): void {
    const id = crypto.randomUUID();
    const { expiry_date } = this;
    this.payments.push({ id, line_id: 'line', amount, months, begins_on, expiry_date });
    this.cost += amount;
  }

  get payer(): Payer {
    const prices = this.tables.flatMap((table, plan) =>
      table.map((price) => ({ ...price, plan_id: String(plan), from: null, above: [] })),
    );
    return {
      actor: { id: 'seller', email: '', group_id: '2', is_admin: false, permissions: [] },
      prices,
      all_prices: prices,
      plans: [],
      ends_on: null,
      today: this.today,
    };
  }

  quote(plan: string) {
    const line = { plan_id: this.plan, expiry_date: this.expiry_date, is_trial: false };
    return planDifference(this.payer, line, plan, this.payments);
  }

  change(plan: number): number {
    if (String(plan) === this.plan) return 0;
    const { cost, term, refunds = [] } = this.quote(String(plan));
    const given = this.payments.filter(({ id }) => refunds.includes(id));
    this.payments = this.payments.filter(({ id }) => !refunds.includes(id));
    this.cost -= given.reduce((sum, { amount }) => sum + amount, 0);
    if (term) this.pay(term.months, term.cost, term.begins_on);
    this.plan = String(plan);
    return cost;
  }
}

const whole = (table: readonly Price[], at: number) => table[at % table.length] as Price;

test('an upgrade on the day of the sale costs as much as the dearer plan at once', () => {
  const property = fc.property(
    fc.integer({ min: 1, max: 24 }),
    fc.integer({ min: 1, max: 60 }),
    fc.integer({ min: 0, max: 60 }),
    table,
    table,
    fc.integer({ min: 0, max: 400 }),
    (months, cheap, more, others, dears, later) => {
      const priced = (prices: Price[], cost: number) => [
        ...prices.filter((price) => price.months !== months),
        { months, cost },
      ];
      const given = [priced(others, cheap), priced(dears, cheap + more)];
      // If other terms of the same length cost less, the difference is calculated with them, so these cases are left
      // out.
      const isWorth = (prices: Price[], cost: number) => worthOfMonths(months, prices) === cost;
      fc.pre(given.every((prices, at) => isWorth(prices, at === 0 ? cheap : cheap + more)));
      const shop = new Shop(given, 1, 0);
      shop.today = addDays(TODAY, later);
      shop.expiry_date = addMonths(shop.today, months);
      shop.payments = [];
      shop.pay(months, cheap);
      expect(shop.change(1)).toBe(more);
      expect(shop.cost).toBe(cheap + more);
    },
  );
  fc.assert(property);
});

test('what is charged or given back is what the ledger moves', () => {
  const steps = fc.array(fc.nat(2), { maxLength: 8 });
  const property = fc.property(tables, fc.nat(), steps, (given, at, changes) => {
    const { months, cost } = whole(given[0] ?? [], at);
    const shop = new Shop(given, months, cost);
    for (const plan of changes) {
      const before = shop.cost;
      const charged = shop.change(plan % given.length);
      expect(shop.cost - before).toBe(charged);
      expect(shop.cost).toBeGreaterThanOrEqual(0);
    }
  });
  fc.assert(property);
});

test('nobody gains by a way through plans that ends where it began', () => {
  const steps = fc.array(fc.nat(2), { minLength: 1, maxLength: 6 });
  const days = fc.integer({ min: 0, max: 20 });
  const property = fc.property(tables, fc.nat(), days, steps, (given, at, passed, changes) => {
    const { months, cost } = whole(given[0] ?? [], at);
    const shop = new Shop(given, months, cost);
    shop.today = addDays(TODAY, passed);
    for (const plan of [...changes, 0]) shop.change(plan % given.length);
    expect(shop.cost).toBeGreaterThanOrEqual(cost);
  });
  fc.assert(property, { numRuns: 200 });
});

test('a plan for some hours is not free: the day of the change back is used', () => {
  const [cheap, dear] = [[{ months: 12, cost: 12 }], [{ months: 12, cost: 24 }]];
  const shop = new Shop([cheap, dear], 12, 12);
  expect([shop.change(1), shop.change(0)]).toEqual([12, -11]);
});

test('an upgrade costs what it would without a longer term that nobody has to buy', () => {
  const dear = [{ months: 12, cost: 20 }];
  const special = [{ months: 12, cost: 5 }];
  const shop = new Shop([[...special, { months: 24, cost: 15 }], dear], 24, 10);
  expect(shop.change(1)).toBe(30);
});

/** What of the payments is for days after `day`, counted day by day. */
function unusedAfter(payments: readonly Payment[], day: Day): number {
  return payments.reduce((sum, { amount, months, begins_on, expiry_date }) => {
    const days = daysBetween(begins_on ?? addMonths(expiry_date, -months), expiry_date);
    const unused = Array.from({ length: days }, (_, before) => addDays(expiry_date, -before));
    return sum + (amount * unused.filter((one) => one > day).length) / days;
  }, 0);
}

test('no more is given back than was paid for unused days, also once prices have changed', () => {
  const step = fc.record({ plan: fc.nat(2), days: fc.nat(60), prices: fc.option(tables) });
  const steps = fc.array(step, { minLength: 1, maxLength: 6 });
  const property = fc.property(tables, fc.nat(), steps, (given, at, changes) => {
    const { months, cost } = whole(given[0] ?? [], at);
    const shop = new Shop(given, months, cost);
    for (const { plan, days, prices } of changes) {
      shop.today = addDays(shop.today, days);
      if (shop.today >= shop.expiry_date) return;
      if (prices) shop.tables = given.map((old, index) => prices[index] ?? old);
      const unused = unusedAfter(shop.payments, shop.today);
      const charged = shop.change(plan % given.length);
      expect(-charged).toBeLessThanOrEqual(unused + 1e-6);
    }
  });
  fc.assert(property, { numRuns: 200 });
});

test('days that were used stay used, also once what is left was paid once more', () => {
  const yearly = (...costs: number[]) => costs.map((cost) => [{ months: 12, cost }]);
  const shop = new Shop(yearly(120, 60, 12), 12, 120);
  shop.today = addMonths(TODAY, 6);
  expect(-shop.change(1)).toBeCloseTo(30, -1);
  // Of 120 credits, 60 were used and 30 were refunded.
  shop.tables = yearly(120, 600, 12);
  expect(-shop.change(2)).toBeLessThanOrEqual(30);
});
