import { addDays } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Panel, startPanel } from '../../../commands/panel.ts';
import { storeLines } from '../../../testing/lines.ts';
import { runScheduled } from '../../../testing/loops.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../../testing/panel.ts';

let panel: TestPanel;
let second: Panel;
let server: string;
let today: string;
let names = 0;
beforeAll(async () => {
  panel = await startTestPanel('postgres');
  second = await startPanel(panel.env, pino({ level: 'silent' }));
  ({ id: server } = await panel.addServer('http://127.0.0.1:1'));
  today = panel.services.today();
});
afterAll(async () => {
  await second?.close();
  await panel?.stop();
});
beforeEach(async () => {
  await panel.admin.patch('/api/settings', { reminder_hour: 18 });
  await db().deleteFrom('reminded_owners').execute();
  await db().deleteFrom('users').execute();
  await db().updateTable('schedules').set({ done_at: '2020-01-01' }).execute();
});

const db = () => panel.services.db;
const at = async (hour: number, later = 0, stopping?: AbortSignal) => {
  const day = addDays(today, later);
  return (await runScheduled(panel.services, 'remind', { day, hour }, stopping)) ?? 0;
};
const told = async ({ id }: TestAccount) =>
  (await db().selectFrom('notifications').select('id').where('account_id', '=', id).execute())
    .length;
async function sellerOf(left: number[], reminder_days = [7, 3, 1]): Promise<TestAccount> {
  const seller = await panel.reseller();
  await seller.client.patch('/api/me/settings', { reminder_days });
  await store(seller, left);
  await db().deleteFrom('notifications').execute();
  return seller;
}
const store = (seller: TestAccount, left: number[]) =>
  storeLines(
    db(),
    seller.id,
    server,
    left.map((days) => ({
      username: `daily-${names++}`,
      expiry_date: addDays(today, days),
    })),
  );

test('nobody is reminded before the hour; from then on everybody once', async () => {
  const seller = await sellerOf([3]);
  for (const hour of [0, 8, 17]) expect(await at(hour)).toBe(0);
  expect(await told(seller)).toBe(0);
  expect(await at(18)).toBe(1);
  for (const hour of [18, 19, 23]) expect(await at(hour)).toBe(0);
  expect(await told(seller)).toBe(1);
});

test('a panel that was off at that hour reminds when it runs again, on that day', async () => {
  const seller = await sellerOf([3]);
  expect(await at(23)).toBe(1);
  expect(await told(seller)).toBe(1);
});

test('what a missed day would have said comes at the hour of the next', async () => {
  const seller = await sellerOf([3]);
  expect(await at(17)).toBe(0);
  // Through midnight.
  for (const hour of [0, 5, 17]) expect(await at(hour, 1)).toBe(0);
  expect(await at(18, 1)).toBe(1);
  expect(await told(seller)).toBe(1);
});

test('a line sold after that hour waits for the next day, and so does a changed hour', async () => {
  const seller = await sellerOf([3]);
  await at(18);
  const other = await sellerOf([3]);
  expect(await at(20)).toBe(0);
  await panel.admin.patch('/api/settings', { reminder_hour: 21 });
  expect(await at(21)).toBe(0);
  expect(await told(other)).toBe(0);
  await panel.admin.patch('/api/settings', { reminder_hour: 0 });
  // The owner of the first line is notified again when 1 day is left.
  expect(await at(0, 1)).toBe(1);
  expect(await told(other)).toBe(1);
  expect(await at(0, 2)).toBe(2);
  expect(await told(seller)).toBe(1);
});

test('two panels at once, each several times, remind once', async () => {
  const sellers = [await sellerOf([3]), await sellerOf([1, 7])];
  const now = { day: today, hour: 18 };
  const runs = [panel, second, panel, second];
  await Promise.all(runs.map(({ services }) => runScheduled(services, 'remind', now)));
  expect(await told(sellers[1] as TestAccount)).toBe(1);
  expect(
    await db()
      .selectFrom('schedules')
      .select(
        sql`(done_at at time zone ${panel.services.config.time_zone})::date::text`.as('done_on'),
      )
      .where('name', '=', 'remind')
      .execute(),
  ).toEqual([{ done_on: today }]);
});

test('an interrupted run is gone on with', async () => {
  const sellers = [await sellerOf([3]), await sellerOf([3])];
  await db().deleteFrom('notifications').execute();
  let looks = 0;
  const stopsAfterOne = {
    get aborted() {
      return ++looks > 1;
    },
  } as AbortSignal;
  expect(await at(18, 0, stopsAfterOne)).toBe(1);
  expect(await at(18)).toBe(1);
  for (const seller of sellers) expect(await told(seller)).toBe(1);
});

test('on the day itself, to who chose so', async () => {
  const chosen = await sellerOf([0], [0]);
  const early = await sellerOf([0], [1]);
  await db()
    .insertInto('reminded_owners')
    .values([chosen, early].map(({ id }) => ({ account_id: id, reminded_on: addDays(today, -1) })))
    .execute();
  await at(18);
  expect([await told(chosen), await told(early)]).toEqual([1, 0]);
});
