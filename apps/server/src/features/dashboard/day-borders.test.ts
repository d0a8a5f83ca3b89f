import { SALES } from '@linekeeper/contract/accounts/accounts.ts';
import { addDays } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOfDay } from '../../platform/clock.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';

/** A time zone half a day ahead of UTC, so that its days differ from those of UTC at most hours. */
const TIME_ZONE = 'Pacific/Auckland';
let panel: TestPanel;
let seller: TestAccount;

/** Stores a sale that was made `seconds` after a day began in the panel's time zone. */
async function soldAt(daysAgo: number, seconds: number, amount: number): Promise<void> {
  const { db, today } = panel.services;
  const began = startOfDay(addDays(today(), -daysAgo), TIME_ZONE);
  await db
    .insertInto('credit_transfers')
    .values({
      id: crypto.randomUUID(),
      kind: 'sale',
      from_id: seller.id,
      to_id: SALES,
      amount,
      actor_id: seller.id,
      created_at: sql<Date>`${began} + make_interval(secs => ${seconds})`,
    })
    .execute();
}

beforeAll(async () => {
  panel = await startTestPanel('postgres', { TIME_ZONE });
  seller = await panel.reseller({ credits: 1000 });
  await soldAt(0, 0, 1);
  await soldAt(0, -1, 2);
  await soldAt(1, 0, 4);
  await soldAt(29, 0, 8);
  await soldAt(29, -1, 16);
  await soldAt(59, 0, 32);
  await soldAt(59, -1, 64);
});
afterAll(() => panel?.stop());

test.each(['seller', 'administrator'])('days begin in the panel’s time zone: %s', async (who) => {
  const client = who === 'seller' ? seller.client : panel.admin;
  const { today, credits, sellers } = (await client.get('/api/dashboard')).body;
  expect(today).toBe(panel.services.today());
  const spent = credits.days.map((one: { spent: number }) => one.spent);
  expect(spent.slice(-2)).toEqual([6, 1]);
  expect(spent[0]).toBe(8);
  expect(credits.spent).toBe(1 + 6 + 8);
  expect(credits.spent_before).toBe(16 + 32);
  if (who === 'administrator') expect(sellers[0].spent).toBe(credits.spent);
});

test('balances are those at the end of each day in the panel’s time zone', async () => {
  const { credits } = (await seller.client.get('/api/dashboard')).body;
  const balances = credits.days.map((one: { balance: number }) => one.balance);
  // The sales were stored without changing the balance, which is 1000 now. The credits were added today.
  expect(balances.slice(-3)).toEqual([1 + 6, 1, 1000]);
  expect(balances[0]).toBe(1 + 6);
});
