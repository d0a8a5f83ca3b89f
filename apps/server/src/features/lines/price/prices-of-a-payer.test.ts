import { STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import { addDays, addMonths } from '@linekeeper/contract/dates.ts';
import type { Price } from '@linekeeper/contract/pricing.ts';
import { sql } from 'kysely';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { jobEnd, previewBulk, runBulk, undoBulk } from '../../../testing/jobs.ts';
import { expectBalancedBooks } from '../../../testing/ledger/ledger.ts';
import { newLine, storeLines } from '../../../testing/lines.ts';
import { startTestShop, type TestAccount, type TestPanel } from '../../../testing/panel.ts';

/** A price list that differs from the default list in every term, and for dates between terms. */
const ownList: Price[] = [
  { months: 1, cost: 5 },
  { months: 3, cost: 11 },
  { months: 6, cost: 21 },
  { months: 12, cost: 31 },
  { months: 24, cost: 61 },
];

let panel: TestPanel;
let server: string;
let own: TestAccount;
let other: TestAccount;
let listId = '';
let today = '';
let names = 0;

beforeAll(async () => {
  const shop = await startTestShop();
  ({ panel, serverId: server } = shop);
  today = panel.services.today();
  [own, other] = [await panel.reseller({ credits: 1000 }), await panel.reseller({ credits: 1000 })];
  const list = { name: 'Own prices', terms: termsOf(ownList) };
  listId = (await panel.admin.post('/api/price-lists', list)).body.price_list.id;
  await panel.admin.patch(`/api/accounts/${own.id}`, { price_list_id: listId });
  return shop.stop;
});
afterEach(() => expectBalancedBooks(panel.services.db));

const termsOf = (table: readonly Price[]) =>
  table.map(({ months, cost }) => ({ plan_id: STANDARD_PLAN, months, credits: cost }));

async function setPrices(table: readonly Price[]): Promise<void> {
  const reply = await panel.admin.patch(`/api/price-lists/${listId}`, { terms: termsOf(table) });
  expect(reply.status).toBe(200);
}

const balance = async ({ client }: TestAccount) => (await client.get('/api/me')).body.credits;

/** Creates a line that ends in a month, without charge. */
async function lineOf({ id }: TestAccount): Promise<string> {
  const row = { username: `priced${names++}`, expiry_date: addMonths(today, 1) };
  return (await storeLines(panel.services.db, id, server, [row]))[0] ?? '';
}

/** Number of credits that an action took from the account. */
async function paid(account: TestAccount, act: () => Promise<unknown>): Promise<number> {
  const before = await balance(account);
  await act();
  return before - (await balance(account));
}

/** All ways to buy time, with the cost by either list. */
const nineMonthsOn = () => addMonths(today, 10);
const ways: [string, number, number, (account: TestAccount) => Promise<unknown>][] = [
  [
    'create',
    11,
    4,
    ({ client }) =>
      client.post('/api/lines', newLine(`priced${names++}`, { subscription_months: 3 })),
  ],
  [
    'renew',
    21,
    6,
    async (account) =>
      account.client.post(`/api/lines/${await lineOf(account)}/renew`, { subscription_months: 6 }),
  ],
  [
    'renew to a date',
    31,
    10,
    async (account) =>
      account.client.post(`/api/lines/${await lineOf(account)}/renew`, {
        expiry_date: nineMonthsOn(),
      }),
  ],
  [
    'PATCH',
    31,
    10,
    async (account) =>
      account.client.patch(`/api/lines/${await lineOf(account)}`, { expiry_date: nineMonthsOn() }),
  ],
  [
    'bulk',
    62,
    20,
    async (account) =>
      runBulk(account.client, {
        action: 'renew',
        ids: [await lineOf(account), await lineOf(account)],
        subscription_months: 12,
      }),
  ],
  [
    'import',
    16,
    6,
    async (account) =>
      runBulk(account.client, {
        action: 'import',
        rows: [
          { username: `priced${names++}`, password: 'pw', subscription_months: 1 },
          { username: `priced${names++}`, password: 'pw', subscription_months: 3 },
        ],
      }),
  ],
];

test.each(ways)(
  '%s takes %i from a payer with a list of its own and %i from others',
  async (_, ownCost, commonCost, act) => {
    expect(await paid(own, () => act(own))).toBe(ownCost);
    expect(await paid(other, () => act(other))).toBe(commonCost);
  },
);

test('what is quoted, previewed and listed is what is charged', async () => {
  const quote = async (body: object) => (await own.client.post('/api/lines/quote', body)).body.cost;
  const line_id = await lineOf(own);
  expect(await quote({ action: 'create', subscription_months: 3 })).toBe(11);
  expect(await quote({ action: 'renew', line_id, subscription_months: 6 })).toBe(21);
  expect(await quote({ action: 'renew', line_id, expiry_date: nineMonthsOn() })).toBe(31);
  const request = { action: 'renew', ids: [line_id], subscription_months: 12 };
  expect((await previewBulk(own.client, request)).cost).toBe(31);
  const { body } = await own.client.get('/api/credits/prices');
  expect(body.map(({ months, cost }: Price) => ({ months, cost }))).toEqual(ownList);
});

test('undoing gives back what the payer paid, whatever the list says by then', async () => {
  const before = await balance(own);
  const ids = [await lineOf(own)];
  const job = await runBulk(own.client, { action: 'renew', ids, subscription_months: 3 });
  expect(job.cost).toBe(11);
  await setPrices(ownList.map(({ months }) => ({ months, cost: 1 })));
  expect((await undoBulk(own.client, job.id)).cost).toBe(-11);
  await setPrices(ownList);
  expect(await balance(own)).toBe(before);
});

test('an undo gives no time that its payer would have to pay for', async () => {
  const { db } = panel.services;
  const moveTo = (group_id: string) =>
    sql`update auth_users set group_id = ${group_id} where id = ${own.id}`.execute(db);
  const ids = [await lineOf(own)];
  await moveTo('1');
  const expiry_date = addDays(today, 3);
  const job = await runBulk(own.client, { action: 'renew', ids, expiry_date, may_shorten: true });
  await moveTo('2');
  await setPrices(ownList.map(({ months }) => ({ months, cost: 1 })));
  expect((await undoBulk(own.client, job.id)).items[0]?.state).toBe('failed');
  await setPrices(ownList);
});

test('a job costs what its preview said, though prices change before its lines come to be done', async () => {
  const ids = [await lineOf(own), await lineOf(own)];
  const { body } = await own.client.post('/api/lines/bulk', {
    ...{ action: 'renew', ids, subscription_months: 3, quoted_cost: 22 },
  });
  await setPrices(ownList.map(({ months }) => ({ months, cost: 100 })));
  const job = await jobEnd(own.client, body.job.id);
  await setPrices(ownList);
  expect(job).toMatchObject({ done: 2, cost: 22 });
});

const changed = { status: 409, body: { code: 'QUOTE_CHANGED', data: { cost: 11 } } };

test('a price that is not what was quoted is refused, and nothing is charged', async () => {
  const line_id = await lineOf(own);
  const before = await balance(own);
  const { client } = own;
  const quoted_cost = 4;
  const sale = newLine(`priced${names++}`, { subscription_months: 3, quoted_cost });
  const expiry_date = addMonths(today, 4);
  const renewal = { action: 'renew', ids: [line_id], subscription_months: 3, quoted_cost };
  const row = { username: `priced${names++}`, password: 'pw', subscription_months: 3 };
  for (const reply of [
    await client.post('/api/lines', sale),
    await client.post(`/api/lines/${line_id}/renew`, { subscription_months: 3, quoted_cost }),
    await client.patch(`/api/lines/${line_id}`, { expiry_date, quoted_cost }),
    await client.post('/api/lines/bulk', renewal),
    await client.post('/api/lines/bulk', { action: 'import', rows: [row], quoted_cost }),
  ]) {
    expect(reply).toMatchObject(changed);
  }
  expect(await balance(own)).toBe(before);
  const right = { ...sale, quoted_cost: 11 };
  expect(await client.post('/api/lines', right)).toMatchObject({ status: 201, body: { cost: 11 } });
});

test('an import that a panel of version 1.8 queued, which knew no plans, is sold as Standard', async () => {
  const { db } = panel.services;
  await sql`create function forget_plans() returns trigger language plpgsql
    as 'begin new.offer = new.offer - ''plans''; return new; end'`.execute(db);
  await sql`create trigger forget_plans before insert on jobs
    for each row execute function forget_plans()`.execute(db);
  await sql`create function forget_plan() returns trigger language plpgsql
    as 'begin new.input = new.input - ''plan_id''; return new; end'`.execute(db);
  await sql`create trigger forget_plan before insert on job_items
    for each row execute function forget_plan()`.execute(db);
  const username = `priced${names++}`;
  const rows = [{ username, password: 'pw', subscription_months: 1 }];
  const work = () => runBulk(other.client, { action: 'import', rows });
  expect(await paid(other, work)).toBe(2);
  await sql`drop function forget_plans, forget_plan cascade`.execute(db);
  const { items } = (await other.client.get(`/api/lines?q=${username}`)).body;
  expect(items).toMatchObject([{ username, plan_id: STANDARD_PLAN }]);
});
