import { STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
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
/** `accounts[0]` is below nobody, and each other one below an earlier one. */
let accounts: TestAccount[];
let parents: number[] = [];
let names = 0;
beforeAll(async () => {
  const shop = await startTestShop();
  ({ panel, serverId: server } = shop);
  today = panel.services.today();
  accounts = [];
  for (let made = 0; made < ACCOUNTS; made++) {
    accounts.push(await panel.reseller({ credits: 100_000 }));
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
/** A tree by the parents of accounts, the panel's terms, and a list for each account: of the panel, or of one above it. */
const worlds = fc.record({
  parents: fc.tuple(...Array.from({ length: ACCOUNTS - 1 }, (_, index) => fc.nat({ max: index }))),
  terms,
  lists: fc.array(
    fc.option(
      fc.record({
        isOfPanel: fc.boolean(),
        factor: fc.integer({ min: 10, max: 300 }),
        isByTerms: fc.boolean(),
        terms,
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
  await panel.admin.patch(`/api/plans/${STANDARD_PLAN}`, { terms: world.terms });
  for (const [index, list] of world.lists.entries()) {
    const above = accounts[parents[index] ?? -1];
    if (!list) continue;
    const by = list.isOfPanel || !above ? panel.admin : above.client;
    const own = list.terms.map((term) => ({ plan_id: STANDARD_PLAN, ...term }));
    const prices = list.isByTerms ? { terms: own } : { factor: list.factor / 100 };
    const { status, body } = await by.post('/api/price-lists', { name: 'List', ...prices });
    // A seller's prices below its own are refused.
    if (status !== 201) continue;
    const { id } = body.price_list;
    expect(
      (await by.patch(`/api/accounts/${accounts[index]?.id}`, { price_list_id: id })).status,
    ).toBe(200);
  }
}

const pricesFor = async ({ client }: TestAccount): Promise<Price[]> =>
  (await client.get('/api/credits/prices')).body;
const balance = async ({ client }: TestAccount): Promise<number> =>
  (await client.get('/api/me')).body.credits;

/** All ways in which an account pays for months, each with its quote: cost by cost. */
async function payInEveryWay(account: TestAccount, months: number) {
  const { client } = account;
  const lineOf = async () => {
    const row = { username: `tree${names++}`, expiry_date: addMonths(today, 1) };
    return (await storeLines(panel.services.db, account.id, server, [row]))[0] ?? '';
  };
  const quoted = async (body: object): Promise<number> =>
    (await client.post('/api/lines/quote', body)).body.cost;
  const [renewed, dated, edited] = [await lineOf(), await lineOf(), await lineOf()];
  const renewal = { subscription_months: months };
  const expiry_date = addMonths(addMonths(today, 1), months);
  const bulk = { action: 'renew', ids: [await lineOf(), await lineOf()], ...renewal };
  const row = { username: `tree${names++}`, password: 'pw', ...renewal };
  const file = { action: 'import', rows: [row] };
  const ways: [number, () => Promise<number>][] = [
    [
      await quoted({ action: 'create', ...renewal }),
      async () => (await client.post('/api/lines', newLine(`tree${names++}`, renewal))).body.cost,
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
        for (const [place, { cost }] of (tables[index] ?? []).entries()) {
          expect(cost).toBeGreaterThanOrEqual(tables[parent]?.[place]?.cost ?? 0);
        }
      }
      const index = chance % ACCOUNTS;
      const [account, table] = [accounts[index], tables[index] ?? []];
      const { months = 1 } = table[chance % table.length] ?? {};
      const cost = costOfMonths(months, table);
      if (account) expect(new Set(await payInEveryWay(account, months))).toEqual(new Set([cost]));
      await expectBalancedBooks(panel.services.db);
    }),
    { numRuns: 12, endOnFailure: true },
  );
});
