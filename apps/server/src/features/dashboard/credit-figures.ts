import {
  type CreditFigures,
  DASHBOARD_DAYS,
  MOST_SELLERS,
  type Renewals,
  type Seller,
} from '@linekeeper/contract/dashboard.ts';
import { addDays, type Day } from '@linekeeper/contract/dates.ts';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { accountName } from '../../domain/accounts/accounts.ts';
import { visibleTo } from '../../domain/context/access.ts';
import { startOfDay } from '../../platform/clock.ts';

export interface Days {
  today: Day;
  time_zone: string;
}

/** A transfer that pays for a line. Literals, so that one plan suits every call. */
export const paysForLine = sql<SqlBool>`credit_transfers.kind in ('sale', 'renewal')`;

/** The day of a transfer in a time zone. */
export const dayOfTransfer = (time_zone: string) =>
  sql<Day>`to_char(credit_transfers.created_at at time zone ${time_zone}, 'YYYY-MM-DD')`;

/** The first of the days that are shown, and the first of as many before. */
export const firstShown = (today: Day) => addDays(today, 1 - DASHBOARD_DAYS);
export const firstCompared = (today: Day) => addDays(today, 1 - 2 * DASHBOARD_DAYS);

interface Moved {
  spent: number;
  /** Received less sent, of any kind. */
  net: number;
  /** Sent for lines and to accounts below, less what came back of it. */
  sold?: number;
}

const isSold = {
  from_id: sql<SqlBool>`credit_transfers.kind in ('sale', 'renewal', 'transfer')`,
  to_id: sql<SqlBool>`credit_transfers.kind in ('refund', 'take_back')`,
};

/** The movements of one account by day, with its balance; one row without a day if it has none. */
function readMovements(db: Db, account_id: string, first_day: Day, time_zone: string) {
  const side = (column: 'from_id' | 'to_id') =>
    db
      .selectFrom('credit_transfers')
      .where(`credit_transfers.${column}`, '=', account_id)
      .where(sql<SqlBool>`credit_transfers.created_at >= ${startOfDay(first_day, time_zone)}`)
      .select([
        dayOfTransfer(time_zone).as('day'),
        column === 'to_id'
          ? sql<number>`credit_transfers.amount`.as('net')
          : sql<number>`-credit_transfers.amount`.as('net'),
        column === 'to_id'
          ? sql<number>`0`.as('spent')
          : sql<number>`case when ${paysForLine} then credit_transfers.amount else 0 end`.as(
              'spent',
            ),
        sql<number>`case when ${isSold[column]}
          then ${sql.raw(column === 'from_id' ? '' : '-')}credit_transfers.amount else 0 end`.as(
          'sold',
        ),
      ]);
  const moved = side('from_id').unionAll(side('to_id')).as('moved');
  return db
    .selectFrom('auth_users')
    .leftJoin(moved, (join) => join.onTrue())
    .where('auth_users.id', '=', account_id)
    .groupBy(['auth_users.credits', 'moved.day'])
    .select([
      'auth_users.credits',
      'moved.day',
      sql<number>`coalesce(sum(moved.net), 0)::bigint`.as('net'),
      sql<number>`coalesce(sum(moved.spent), 0)::bigint`.as('spent'),
      sql<number>`coalesce(sum(moved.sold), 0)::bigint`.as('sold'),
    ])
    .execute();
}

/** What an account spent on lines, and its balance at the end of each day. */
export async function readOwnCredits(
  db: Db,
  account_id: string,
  { today, time_zone }: Days,
): Promise<CreditFigures> {
  const rows = await readMovements(db, account_id, firstCompared(today), time_zone);
  const byDay = new Map(rows.map(({ day, ...moved }) => [day, moved]));
  return creditFigures(byDay, rows[0]?.credits ?? 0, today);
}

/** One by one or many at once, as the ledger has them. */
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

/** Puts days together; `credits` is the balance now, or null if it is not counted. */
export function creditFigures(
  byDay: ReadonlyMap<Day | null, Moved>,
  credits: number | null,
  today: Day,
): CreditFigures {
  const spentOn = (day: Day) => byDay.get(day)?.spent ?? 0;
  const days: CreditFigures['days'] = [];
  let balance = credits;
  let change = 0;
  let sold = 0;
  for (let ago = 0; ago < DASHBOARD_DAYS; ago++) {
    const day = addDays(today, -ago);
    const net = byDay.get(day)?.net ?? 0;
    days.unshift({ day, spent: spentOn(day), balance });
    if (balance !== null) balance -= net;
    change += net;
    sold += byDay.get(day)?.sold ?? 0;
  }
  const before = Array.from({ length: DASHBOARD_DAYS }, (_, ago) =>
    spentOn(addDays(today, -DASHBOARD_DAYS - ago)),
  );
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
  return {
    days,
    spent: sum(days.map(({ spent }) => spent)),
    spent_before: sum(before),
    change: credits === null ? null : change,
    sold: credits === null ? null : sold,
    bought: credits === null ? null : change + sold,
  };
}

/** The accounts below one that spent most on lines; null if there is none below. */
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
  const sold = await db
    .selectFrom('credit_transfers')
    .where(visibleTo({ account_id, sees_all: false }, 'credit_transfers.from_id'))
    .where('credit_transfers.from_id', '!=', account_id)
    .where(paysForLine)
    .where(sql<SqlBool>`credit_transfers.created_at >= ${startOfDay(firstShown(today), time_zone)}`)
    .select(['credit_transfers.from_id', sql<number>`sum(amount)::bigint`.as('spent')])
    .groupBy('credit_transfers.from_id')
    .orderBy('spent', 'desc')
    .orderBy('credit_transfers.from_id')
    .limit(MOST_SELLERS)
    .execute();
  return nameSellers(
    db,
    sold.map(({ from_id, spent }) => [from_id, spent]),
  );
}

/** Adds the names, in the given order. */
export async function nameSellers(
  db: Db,
  sold: readonly (readonly [account_id: string, spent: number])[],
): Promise<Seller[]> {
  if (sold.length === 0) return [];
  const rows = await db
    .selectFrom('auth_users')
    .where(
      'id',
      'in',
      sold.map(([id]) => id),
    )
    .select(['id', accountName('auth_users').as('name')])
    .execute();
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return sold.map(([account_id, spent]) => ({
    account_id,
    name: names.get(account_id) ?? account_id,
    spent,
  }));
}
