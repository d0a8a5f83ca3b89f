import {
  type CreditFigures,
  DASHBOARD_DAYS,
  MOST_SELLERS,
  type Renewals,
  type Seller,
  SOON_DAYS,
} from '@linekeeper/contract/dashboard.ts';
import { addDays, type Day, today as dayAt } from '@linekeeper/contract/dates.ts';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { accountName } from '../../domain/accounts/accounts.ts';
import { visibleTo } from '../../domain/context/access.ts';
import { expiresWithin } from '../../domain/lines/line-sets.ts';
import { startOfDay } from '../../platform/clock.ts';

export interface Days {
  today: Day;
  time_zone: string;
}

/** SQL condition: the transfer pays for a line. The kinds are literals, so that one plan suits every call. */
const paysForLine = sql<SqlBool>`credit_transfers.kind in ('sale', 'renewal')`;

/** SQL of the day of a transfer in a time zone. */
const dayOfTransfer = (time_zone: string) =>
  sql<Day>`to_char(credit_transfers.created_at at time zone ${time_zone}, 'YYYY-MM-DD')`;

/** The first day of the shown period. */
const firstShown = (today: Day) => addDays(today, 1 - DASHBOARD_DAYS);
const firstCompared = (today: Day) => addDays(today, 1 - 2 * DASHBOARD_DAYS);

interface Moved {
  spent: number;
  /** Credits received, minus those sent, of any kind. */
  net: number;
  /** Credits sent for lines and to accounts below, minus those that were refunded or taken back. */
  sold?: number;
}

/** The movements of one account by day, with its balance; one row without a day if it has none. */
async function readMovements(db: Db, account_id: string, first_day: Day, time_zone: string) {
  const [day, since] = [dayOfTransfer(time_zone), startOfDay(first_day, time_zone)];
  const { rows } = await sql<Moved & { day: Day | null; credits: number }>`
    select credits, day, coalesce(sum(net), 0)::bigint as net,
        coalesce(sum(spent), 0)::bigint as spent, coalesce(sum(sold), 0)::bigint as sold
      from auth_users left join (
        select ${day} as day, -amount as net,
            case when ${paysForLine} then amount else 0 end as spent,
            case when kind in ('sale', 'renewal', 'transfer') then amount else 0 end as sold
          from credit_transfers where from_id = ${account_id}::uuid and created_at >= ${since}
        union all
        select ${day}, amount, 0, case when kind in ('refund', 'take_back') then -amount else 0 end
          from credit_transfers where to_id = ${account_id}::uuid and created_at >= ${since}
      ) as moved on true
      where id = ${account_id}::uuid group by credits, day`.execute(db);
  return rows;
}

/** Figures of an account's credits by day: its spending on lines, and its balance at the end of the day. */
export async function readOwnCredits(
  db: Db,
  account_id: string,
  { today, time_zone }: Days,
): Promise<CreditFigures> {
  const rows = await readMovements(db, account_id, firstCompared(today), time_zone);
  const byDay = new Map(rows.map(({ day, ...moved }) => [day, moved]));
  return creditFigures(byDay, rows[0]?.credits ?? 0, today);
}

/** Reads renewals from the ledger, both of single lines and of jobs. */
export function readRenewals(
  db: Db,
  account_id: string,
  { today, time_zone }: Days,
): Promise<Renewals> {
  return db
    .selectFrom('credit_transfers as paid')
    .leftJoin('credit_transfers as back', 'back.refund_of', 'paid.id')
    .where('paid.from_id', '=', account_id)
    .where('paid.kind', '=', 'renewal')
    .where(sql<SqlBool>`paid.created_at >= ${startOfDay(today, time_zone)}`)
    .where('back.id', 'is', null)
    .select([
      sql<number>`count(distinct paid.line_id)`.as('lines'),
      sql<number>`coalesce(sum(paid.amount), 0)::bigint`.as('cost'),
    ])
    .executeTakeFirstOrThrow();
}

/** The figures by day; `credits` is the balance now, or null if it is not counted. */
function creditFigures(
  byDay: ReadonlyMap<Day | null, Moved>,
  credits: number | null,
  today: Day,
): CreditFigures {
  const shown = Array.from({ length: DASHBOARD_DAYS }, (_, ago) => ago);
  const movedOn = (ago: number) => byDay.get(addDays(today, -ago));
  const sum = (field: keyof Moved, before = 0) =>
    shown.reduce((total, ago) => total + (movedOn(ago + before)?.[field] ?? 0), 0);
  let balance = credits;
  const days = shown.map((ago) => {
    const { spent = 0, net = 0 } = movedOn(ago) ?? {};
    const figure = { day: addDays(today, -ago), spent, balance };
    if (balance !== null) balance -= net;
    return figure;
  });
  const [change, sold] = [sum('net'), sum('sold')];
  return {
    days: days.toReversed(),
    spent: sum('spent'),
    spent_before: sum('spent', DASHBOARD_DAYS),
    ...(credits === null
      ? { change: null, sold: null, bought: null }
      : { change, sold, bought: change + sold }),
  };
}

/** The accounts below one that spent most on lines; null if no account is below it. */
export async function readSellersBelow(
  db: Db,
  account_id: string,
  { today, time_zone }: Days,
): Promise<Seller[] | null> {
  const below = db
    .selectFrom('account_tree')
    .select('account_id')
    .where('ancestor_id', '=', account_id)
    .where('depth', '>', 0)
    .limit(1);
  if (!(await below.executeTakeFirst())) return null;
  return db
    .selectFrom('credit_transfers')
    .innerJoin('auth_users as seller', 'seller.id', 'credit_transfers.from_id')
    .where(visibleTo({ account_id, sees_all: false }, 'credit_transfers.from_id'))
    .where('credit_transfers.from_id', '!=', account_id)
    .where(paysForLine)
    .where(sql<SqlBool>`credit_transfers.created_at >= ${startOfDay(firstShown(today), time_zone)}`)
    .select(['seller.id as account_id', accountName('seller').as('name')])
    .select(sql<number>`sum(amount)::bigint`.as('spent'))
    .groupBy('seller.id')
    .orderBy('spent', 'desc')
    .orderBy('seller.id')
    .limit(MOST_SELLERS)
    .execute();
}

/** Adds the names, in the given order. */
async function nameSellers(
  db: Db,
  sold: readonly (readonly [account_id: string, spent: number])[],
): Promise<Seller[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, ${accountName('auth_users')} as name from auth_users
      where id = any(${sold.map(([id]) => id)}::uuid[])`.execute(db);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return sold.map(([account_id, spent]) => ({
    account_id,
    name: names.get(account_id) ?? account_id,
    spent,
  }));
}

/** Credits spent on lines by all accounts, by day and, for the days shown, by account. */
interface Sales {
  byDay: Map<Day, number>;
  bySeller: Map<string, number>;
}

/** Sums by day and by account, read in one statement; each row has either a day or an account. */
async function readSales(db: Db, from: Day, end: Day, { today, time_zone }: Days): Promise<Sales> {
  const { rows } = await sql<{
    day: Day | null;
    from_id: string | null;
    spent: number;
    spent_in_shown: number;
  }>`
    select day, from_id, sum(amount)::bigint as spent,
        coalesce(sum(amount) filter (where day >= ${firstShown(today)}), 0)::bigint as spent_in_shown
      from (select from_id, amount, ${dayOfTransfer(time_zone)} as day from credit_transfers
        where ${paysForLine} and created_at >= ${startOfDay(from, time_zone)}
          and created_at < ${startOfDay(end, time_zone)}) as sold
      group by grouping sets ((day), (from_id))`.execute(db);
  const sales: Sales = { byDay: new Map(), bySeller: new Map() };
  for (const { day, from_id, spent, spent_in_shown } of rows) {
    if (day !== null) sales.byDay.set(day, spent);
    if (from_id !== null && spent_in_shown > 0) sales.bySeller.set(from_id, spent_in_shown);
  }
  return sales;
}

/** The sales of the days that have ended, which no later sale changes. */
const remembered = new WeakMap<Db, Sales & { today: Day }>();
/** Milliseconds after midnight from which a day's sales are final; longer than any transaction. */
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

/** The credits that all accounts together spent on lines, and the accounts that spent most. */
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

/** Compares by sales, then by id, so that equal sellers keep their places. */
function byMostSold([a, spentByA]: [string, number], [b, spentByB]: [string, number]): number {
  return spentByB - spentByA || (a < b ? -1 : 1);
}

/** The most accounts that are examined, starting with those that have most lines. */
const MOST_ACCOUNTS = 200;
const NAMED = 3;

/**
 * Accounts without credits that have lines to renew soon. Accounts below a reseller are left out, because that reseller
 * gives them credits. Only the first are counted, so the cost does not grow with the number of accounts.
 */
export async function readOutOfCredits(db: Db, today: Day) {
  const { rows } = await sql<{ account_id: string; name: string; lines: number; total: number }>`
    with empty as (
      select auth_users.id, ${accountName('auth_users')} as name
        from account_figures join auth_users on auth_users.id = account_figures.account_id
          left join auth_users owner on owner.id = auth_users.owner_id
        where line_count > 0 and auth_users.credits = 0
          and not auth_users.is_admin and not auth_users.banned
          and (owner.id is null or owner.is_admin)
        order by line_count desc limit ${sql.lit(MOST_ACCOUNTS)})
    select empty.id as account_id, name, due.lines, count(*) over ()::integer as total
      from empty, lateral (
        select count(*)::integer as lines from users
          where users.owner_id = empty.id and ${expiresWithin(today, SOON_DAYS)}) as due
      where due.lines > 0 order by due.lines desc, empty.id limit ${sql.lit(NAMED)}`.execute(db);
  return {
    items: rows.map(({ total: _, ...row }) => row),
    total: rows[0]?.total ?? 0,
  };
}
