import { type CreditFigures, MOST_SELLERS, type Seller } from '@linekeeper/contract/dashboard.ts';
import { addDays, type Day, today as dayAt } from '@linekeeper/contract/dates.ts';
import { type SqlBool, sql } from 'kysely';
import { fixedStatement } from '../../db/fixed-statement.ts';
import type { Db } from '../../db/transaction.ts';
import { startOfDay } from '../../platform/clock.ts';
import {
  creditFigures,
  type Days,
  dayOfTransfer,
  firstCompared,
  firstShown,
  nameSellers,
  paysForLine,
} from './credit-figures.ts';

/** Credits spent on lines by all accounts, by day and, of the days shown, by account. */
interface Sales {
  byDay: Map<Day, number>;
  bySeller: Map<string, number>;
}

/** Sums by day and by account in one reading; each row has one of the two. */
const askSales = fixedStatement(
  ['first_day', 'end_day', 'first_shown', 'time_zone'],
  (db, { first_day, end_day, first_shown, time_zone }) =>
    db
      .selectFrom((from) =>
        from
          .selectFrom('credit_transfers')
          .where(paysForLine)
          .where(sql<SqlBool>`credit_transfers.created_at >= ${startOfDay(first_day, time_zone)}`)
          .where(sql<SqlBool>`credit_transfers.created_at < ${startOfDay(end_day, time_zone)}`)
          .select(['from_id', 'amount', dayOfTransfer(time_zone).as('day')])
          .as('sold'),
      )
      .select([
        sql<Day | null>`sold.day`.as('day'),
        sql<string | null>`sold.from_id`.as('from_id'),
        sql<number>`sum(sold.amount)::bigint`.as('spent'),
        sql<number>`coalesce(sum(sold.amount) filter (where sold.day >= ${first_shown}), 0)::bigint`.as(
          'spent_in_shown',
        ),
      ])
      .groupBy(sql`grouping sets ((sold.day), (sold.from_id))`),
);

async function readSales(db: Db, from: Day, end: Day, { today, time_zone }: Days): Promise<Sales> {
  const asked = { first_day: from, end_day: end, first_shown: firstShown(today), time_zone };
  const rows = await askSales(db, asked);
  const sales: Sales = { byDay: new Map(), bySeller: new Map() };
  for (const { day, from_id, spent, spent_in_shown } of rows) {
    if (day !== null) sales.byDay.set(day, spent);
    if (from_id !== null && spent_in_shown > 0) sales.bySeller.set(from_id, spent_in_shown);
  }
  return sales;
}

/** The sales of the days that have ended, which no later sale changes. */
const remembered = new WeakMap<Db, Sales & { today: Day }>();
/** Longer than any transaction: one that began before midnight may end after it. */
const SETTLED_AFTER_MS = 300_000;

/** Reads the ended days once a day, because they are 59 of 60, and only today's sales each time. */
async function readEndedDays(db: Db, days: Days): Promise<Sales> {
  const known = remembered.get(db);
  if (known?.today === days.today) return known;
  const isSettled = dayAt(days.time_zone, new Date(Date.now() - SETTLED_AFTER_MS)) === days.today;
  const sales = await readSales(db, firstCompared(days.today), days.today, days);
  if (isSettled) remembered.set(db, { ...sales, today: days.today });
  return sales;
}

/** What all accounts together spent on lines, and which spent most. */
export async function readAllSales(
  db: Db,
  days: Days,
): Promise<{ credits: CreditFigures; sellers: Seller[] }> {
  const { today } = days;
  const [ended, now] = await Promise.all([
    readEndedDays(db, days),
    readSales(db, today, addDays(today, 1), days),
  ]);
  const byDay = new Map(
    [...ended.byDay, ...now.byDay].map(([day, spent]) => [day, { spent, net: 0 }]),
  );
  const bySeller = new Map(ended.bySeller);
  for (const [id, spent] of now.bySeller) bySeller.set(id, (bySeller.get(id) ?? 0) + spent);
  const best = [...bySeller].sort(byMostSold).slice(0, MOST_SELLERS);
  return {
    credits: creditFigures(byDay, null, today),
    sellers: await nameSellers(db, best),
  };
}

/** Then by id, so that equal sellers keep their places. */
function byMostSold([a, spentByA]: [string, number], [b, spentByB]: [string, number]): number {
  return spentByB - spentByA || (a < b ? -1 : 1);
}
