import { type Plan, STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import { addMonths } from '@linekeeper/contract/dates.ts';
import { costOfMonths, type Price } from '@linekeeper/contract/pricing.ts';
import fc from 'fast-check';
import { beforeAll, expect, test, vi } from 'vitest';
import { previewBulk, runBulk, undoBulk } from '../../testing/jobs.ts';
import { expectBalancedBooks } from '../../testing/ledger/ledger.ts';
import { newLine, storeLines } from '../../testing/lines.ts';
import { startTestShop, type TestAccount, type TestPanel } from '../../testing/panel.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const ACCOUNTS = 5;

let panel: TestPanel;
let server: string;
let today: string;
/** The accounts of a tree. `accounts[0]` has nobody above, and each other account is below an earlier one. */
let accounts: TestAccount[];
let parents: number[] = [];
/** Ids of the plans: Standard and two others. */
let plans: string[];
let names = 0;
beforeAll(async () => {
  const shop = await startTestShop();
  ({ panel, serverId: server } = shop);
  today = panel.services.today();
  accounts = [];
  for (let made = 0; made < ACCOUNTS; made++) {
    accounts.push(await panel.reseller({ credits: 100_000 }));
  }
  await panel.admin.patch('/api/settings', { undo_daily_limit: 10_000 });
  plans = [STANDARD_PLAN];
  for (const name of ['Second', 'Third']) {
    const { body } = await panel.admin.post('/api/plans', {
      name,
      terms: [{ months: 1, credits: 1 }],
    });
    plans.push(body.plan.id);
  }
  return shop.stop;
});

const terms = fc.uniqueArray(
  fc.record({ months: fc.integer({ min: 1, max: 36 }), credits: fc.integer({ min: 1, max: 60 }) }),
  {
    selector: ({ months }) => months,
    minLength: 1,
    maxLength: 5,
  },
);
const PLANS = 3;
const ofPlans = fc.uniqueArray(
  fc.record({
    plan: fc.nat(PLANS - 1),
    months: fc.integer({ min: 1, max: 36 }),
    credits: fc.integer({ min: 1, max: 60 }),
  }),
  { selector: ({ plan, months }) => `${plan} ${months}`, minLength: 1, maxLength: 8 },
);
/**
 * A random tree of accounts by their parents, the terms of each plan, a price list for each account, from the panel or
 * from an account above, and the plans that each account and those below it may sell.
 */
const worlds = fc.record({
  parents: fc.tuple(...Array.from({ length: ACCOUNTS - 1 }, (_, index) => fc.nat({ max: index }))),
  terms: fc.tuple(terms, terms, terms),
  limits: fc.array(fc.option(fc.subarray([0, 1, 2], { minLength: 1 }), { freq: 2 }), {
    minLength: ACCOUNTS,
    maxLength: ACCOUNTS,
  }),
  lists: fc.array(
    fc.option(
      fc.record({
        isOfPanel: fc.boolean(),
        factor: fc.integer({ min: 10, max: 300 }),
        isByTerms: fc.boolean(),
        terms: ofPlans,
      }),
    ),
    { minLength: ACCOUNTS, maxLength: ACCOUNTS },
  ),
});

async function build(world: typeof worlds extends fc.Arbitrary<infer World> ? World : never) {
  parents = [-1, ...world.parents];
  for (const account of accounts) {
    await panel.admin.patch(`/api/accounts/${account.id}`, { owner_id: null, price_list_id: null });
  }
  for (const [index, parent] of parents.entries()) {
    if (parent < 0) continue;
    const owner_id = accounts[parent]?.id;
    await panel.admin.patch(`/api/accounts/${accounts[index]?.id}`, { owner_id });
  }
  for (const [index, id] of plans.entries()) {
    await panel.admin.patch(`/api/plans/${id}`, { terms: world.terms[index] });
  }
  for (const [index, limit] of world.limits.entries()) {
    const plan_ids = limit?.map((plan) => plans[plan]);
    const path = `/api/accounts/${accounts[index]?.id}/limits`;
    expect((await panel.admin.send('PUT', path, { plan_ids })).status).toBe(200);
  }
  for (const [index, list] of world.lists.entries()) {
    const above = accounts[parents[index] ?? -1];
    if (!list) continue;
    const by = list.isOfPanel || !above ? panel.admin : above.client;
    const own = list.terms.map(({ plan, ...term }) => ({ plan_id: plans[plan], ...term }));
    const prices = list.isByTerms ? { terms: own } : { factor: list.factor / 100 };
    const { status, body } = await by.post('/api/price-lists', { name: 'List', ...prices });
    // Prices below the seller's own prices are refused.
    if (status !== 201) continue;
    const { id } = body.price_list;
    expect(
      (await by.patch(`/api/accounts/${accounts[index]?.id}`, { price_list_id: id })).status,
    ).toBe(200);
  }
}

type PriceOfPlan = Price & { plan_id: string };
const pricesFor = async ({ client }: TestAccount): Promise<PriceOfPlan[]> =>
  (await client.get('/api/credits/prices')).body;
const balance = async ({ client }: TestAccount): Promise<number> =>
  (await client.get('/api/me')).body.credits;

/** The plans that an account can sell. */
async function offeredTo({ client }: TestAccount): Promise<string[]> {
  const { items } = (await client.get('/api/plans')).body as { items: Plan[] };
  return items.flatMap(({ id, is_offered }) => (is_offered ? id : []));
}

/** Makes a change that must cost its quote, and undoes it, after which the balance must be as before. */
async function changeAndUndo(account: TestAccount, quote: number, change: () => Promise<Changed>) {
  const before = await balance(account);
  const { cost, job_id } = await change();
  expect([cost, before - (await balance(account))]).toEqual([quote, quote]);
  const { failed, cost: back } = await undoBulk(account.client, job_id);
  expect([failed, back + cost]).toEqual([0, 0]);
  expect(await balance(account)).toBe(before);
}

interface Changed {
  cost: number;
  job_id: string | null;
}

/**
 * Changes a line from one plan to another and back, alone and with others. Each change must cost
 * its quote, and no account may gain.
 */
async function changeInEveryWay(account: TestAccount, months: number, [from, to]: string[]) {
  const { client } = account;
  const more = { subscription_months: months, plan_id: from };
  const sold: string[] = [];
  for (let made = 0; made < 3; made++) {
    sold.push((await client.post('/api/lines', newLine(`tree${names++}`, more))).body.line.id);
  }
  const [alone, ...ids] = sold;
  const before = await balance(account);
  for (const plan_id of [to, from]) {
    const quote = { action: 'change_plan', line_id: alone, plan_id };
    const quoted = async () => (await client.post('/api/lines/quote', quote)).body.cost;
    const change = async (quoted_cost: number): Promise<Changed> =>
      (await client.post(`/api/lines/${alone}/change-plan`, { plan_id, quoted_cost })).body;
    const bulk = { action: 'change_plan', ids, plan_id };
    const together = async (quoted_cost: number): Promise<Changed> => {
      const job = await runBulk(client, { ...bulk, quoted_cost });
      return { cost: job.cost, job_id: job.id };
    };
    const cost = await quoted();
    const preview = await previewBulk(client, bulk);
    expect(preview.cost).toBe(2 * cost);
    await changeAndUndo(account, cost, () => change(cost));
    await changeAndUndo(account, preview.cost, () => together(preview.cost));
    // The payment that an undo made again is for days from today on.
    for (const [now, again] of [
      [await quoted(), change],
      [(await previewBulk(client, bulk)).cost, together],
    ] as const) {
      const had = await balance(account);
      expect((await again(now)).cost).toBe(now);
      expect(had - (await balance(account))).toBe(now);
    }
  }
  expect(await balance(account)).toBeLessThanOrEqual(before);
}

/** All ways in which an account pays for months of a plan, each with its quote. Every cost must equal its quote. */
async function payInEveryWay(account: TestAccount, months: number, plan_id: string) {
  const { client } = account;
  const lineOf = async () => {
    const row = { username: `tree${names++}`, expiry_date: addMonths(today, 1), plan_id };
    return (await storeLines(panel.services.db, account.id, server, [row]))[0] ?? '';
  };
  const quoted = async (body: object): Promise<number> =>
    (await client.post('/api/lines/quote', body)).body.cost;
  const [renewed, dated, edited] = [await lineOf(), await lineOf(), await lineOf()];
  const renewal = { subscription_months: months };
  const expiry_date = addMonths(addMonths(today, 1), months);
  const bulk = { action: 'renew', ids: [await lineOf(), await lineOf()], ...renewal };
  const row = { username: `tree${names++}`, password: 'pw', plan: plan_id, ...renewal };
  const file = { action: 'import', rows: [row] };
  const ways: [number, () => Promise<number>][] = [
    [
      await quoted({ action: 'create', plan_id, ...renewal }),
      async () =>
        (await client.post('/api/lines', newLine(`tree${names++}`, { plan_id, ...renewal }))).body
          .cost,
    ],
    [
      await quoted({ action: 'renew', line_id: renewed, ...renewal }),
      async () => (await client.post(`/api/lines/${renewed}/renew`, renewal)).body.cost,
    ],
    [
      await quoted({ action: 'renew', line_id: dated, expiry_date }),
      async () => (await client.post(`/api/lines/${dated}/renew`, { expiry_date })).body.cost,
    ],
    [
      await quoted({ action: 'renew', line_id: edited, expiry_date }),
      async () => (await client.patch(`/api/lines/${edited}`, { expiry_date })).body.cost,
    ],
    [(await previewBulk(client, file)).cost, async () => (await runBulk(client, file)).cost],
  ];
  for (const [quote, pay] of ways) {
    const before = await balance(account);
    expect(await pay()).toBe(quote);
    expect(before - (await balance(account))).toBe(quote);
  }
  const before = await balance(account);
  const { cost } = await previewBulk(client, bulk);
  const job = await runBulk(client, bulk);
  expect([job.cost, before - (await balance(account))]).toEqual([cost, cost]);
  expect((await undoBulk(client, job.id)).cost).toBe(-cost);
  expect(await balance(account)).toBe(before);
  return ways.map(([quote]) => quote);
}

test('on random trees every way of paying takes its quote, and nobody pays less than the account above', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, fc.nat(), async (world, chance) => {
      await build(world);
      const tables = await Promise.all(accounts.map(pricesFor));
      for (const [index, parent] of parents.entries()) {
        if (parent < 0) continue;
        for (const { plan_id, months, cost } of tables[index] ?? []) {
          const above = tables[parent]?.find(
            (price) => price.plan_id === plan_id && price.months === months,
          );
          expect(cost).toBeGreaterThanOrEqual(above?.cost ?? Number.POSITIVE_INFINITY);
        }
      }
      const index = chance % ACCOUNTS;
      const [account, table] = [accounts[index], tables[index] ?? []];
      if (!account) return;
      const offered = await offeredTo(account);
      const plan_id = offered[chance % offered.length];
      if (plan_id !== undefined) {
        const ofPlan = table.filter((price) => price.plan_id === plan_id);
        const { months = 1 } = ofPlan[chance % ofPlan.length] ?? {};
        const cost = costOfMonths(months, ofPlan);
        const paid = await payInEveryWay(account, months, plan_id);
        expect(new Set(paid)).toEqual(new Set([cost]));
        const other = offered.find((id) => id !== plan_id);
        if (other !== undefined) await changeInEveryWay(account, months, [plan_id, other]);
      }
      for (const left_out of plans.filter((id) => !offered.includes(id))) {
        const sale = newLine(`tree${names++}`, { plan_id: left_out });
        expect((await account.client.post('/api/lines', sale)).body.code).toBe('PLAN_NOT_OFFERED');
      }
      await expectBalancedBooks(panel.services.db);
    }),
    { numRuns: 12, endOnFailure: true },
  );
});
