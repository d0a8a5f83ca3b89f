import { type AutoRenewals, SOON_DAYS } from '@linekeeper/contract/dashboard.ts';
import { addDays, type Day } from '@linekeeper/contract/dates.ts';
import { LAST_TRY_DAYS } from '@linekeeper/contract/lines/auto-renewal.ts';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { readBalance } from '../credits/balance.ts';
import { pricesOnSale, readOffer } from '../credits/prices.ts';

/** Lines that renew themselves, whose last paid day is at most this many days away, the soonest first. */
export const linesToRenew = (db: Db, today: Day, days: number) =>
  db
    .selectFrom('users')
    .where(sql<SqlBool>`users.auto_renew_months is not null`)
    .where('users.suspension', 'is', null)
    .where('users.expiry_date', '>=', addDays(today, -LAST_TRY_DAYS))
    .where('users.expiry_date', '<=', addDays(today, days))
    .orderBy('users.expiry_date')
    .orderBy('users.username');

interface Payer {
  id: string;
  is_admin: boolean;
}

/**
 * The automatic renewals of an account within a week, with what they cost, and the first line for which its credits do not
 * suffice; null if they suffice. Administrators pay nothing. Lines whose term is not on sale are not counted.
 */
export async function readLackingRenewals(
  db: Db,
  { id, is_admin }: Payer,
  today: Day,
): Promise<AutoRenewals | null> {
  if (is_admin) return null;
  const due = await linesToRenew(db, today, SOON_DAYS)
    .where('users.owner_id', '=', id)
    .select(['users.id', 'users.plan_id', 'users.auto_renew_months as months'])
    .execute();
  if (due.length === 0) return null;
  const onSale = pricesOnSale(await readOffer(db, { id }));
  const available = Math.max(0, (await readBalance(db, id)) - (await readKeptCredits(db, id)));
  let needed = 0;
  let lines = 0;
  let first_line_id: string | null = null;
  for (const { id: line_id, plan_id, months } of due) {
    const price = onSale.find((one) => one.plan_id === plan_id && one.months === months);
    if (!price) continue;
    lines += 1;
    needed += price.cost;
    if (needed > available) first_line_id ??= line_id;
  }
  return first_line_id === null ? null : { lines, needed, available, first_line_id };
}

/** Credits that automatic renewals leave on an account. */
export async function readKeptCredits(db: Db, account_id: string): Promise<number> {
  const settings = await db
    .selectFrom('account_settings')
    .select(sql<unknown>`value -> 'kept_credits'`.as('kept'))
    .where('account_id', '=', account_id)
    .executeTakeFirst();
  return typeof settings?.kept === 'number' ? settings.kept : 0;
}
