import {
  addDays,
  addMonths,
  type Day,
  daysBetween,
  laterDay,
  monthsBetween,
  monthsToCover,
} from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { worthOfMonths } from '@linekeeper/contract/pricing.ts';
import { sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';
import type { SignedIn } from '../../../domain/context/access.ts';
import type { SoldTerm } from '../../../domain/credits/charge.ts';
import { failField } from '../../../platform/errors/refusal.ts';
import { type Payer, pricesOfPlan } from './price.ts';

/** A payment for a line that was not refunded, and the term that it paid. */
export interface Payment {
  id: string;
  line_id: string;
  amount: number;
  months: number;
  expiry_date: Day;
}

/** Reads what the account has paid for these lines and was not refunded, by ids of lines. */
export async function readPayments(
  db: Db,
  { id: payer_id }: SignedIn,
  line_ids: readonly string[],
): Promise<ReadonlyMap<string, Payment[]>> {
  const { rows } = await sql<Payment>`
    select paid.id, paid.line_id, paid.amount, months, expiry_date::text
      from credit_transfers paid join sold_terms on transfer_id = paid.id
      where line_id = any(${line_ids}::uuid[]) and from_id = ${payer_id} and kind in ('sale', 'renewal')
        and not exists (select from credit_transfers refund where refund.refund_of = paid.id)
      order by paid.id`.execute(db);
  return Map.groupBy(rows, ({ line_id }) => line_id);
}

/** What a change of the plan costs, as a plan for the line has it. */
interface PlanDifference {
  /** Credits, below 0 if they are given back. */
  cost: number;
  term?: SoldTerm;
  /** Payments that are refunded, because `term` is paid in place of them. */
  refunds?: readonly string[];
}

type ChangedLine = Pick<Line, 'plan_id' | 'expiry_date' | 'is_trial'>;

/** The part of a payment that paid for days after today, in credits, not rounded. */
function unusedOf({ amount, months, expiry_date }: Payment, line: ChangedLine, today: Day): number {
  const begins = addMonths(expiry_date, -months);
  const ends = expiry_date < line.expiry_date ? expiry_date : line.expiry_date;
  const unused = daysBetween(laterDay(begins, today), ends);
  return unused <= 0 ? 0 : (amount * unused) / daysBetween(begins, expiry_date);
}

/** The share of a credit below which a sum of fractions counts as whole. */
const TINY = 1e-9;
/** Longer terms would count nothing more as used. */
const LONGEST = 1200;
const HALF_MONTH_DAYS = 15;

/**
 * The whole months before the last day of a line over which `amount` is spread, so that about `unused` credits of it count
 * as unused.
 */
function monthsOf(
  amount: number,
  unused: number,
  { expiry_date }: ChangedLine,
  today: Day,
): number {
  const days = (daysBetween(today, expiry_date) * amount) / unused;
  let months = monthsToCover(today, expiry_date);
  const lacks = () => days - daysBetween(addMonths(expiry_date, -months), expiry_date);
  while (months < LONGEST && lacks() > HALF_MONTH_DAYS) months++;
  return months;
}

/**
 * What the unused days of a line cost in another plan: the difference at today's prices of both, rounded up. A difference
 * in the other direction is given back, rounded down and without today, which was used: at most what the payer has paid
 * for these days beyond their price in the new plan. The payments are refunded, and the rest is paid once more. Free for
 * administrators, trials and expired lines. Throws PLAN_NOT_OFFERED if the payer can buy no term of the plan. Decision
 * 0006.
 */
export function planDifference(
  payer: Payer,
  line: ChangedLine,
  plan_id: string,
  payments: readonly Payment[],
): PlanDifference {
  const { actor, today } = payer;
  const { expiry_date } = line;
  if (actor.is_admin || line.is_trial || expiry_date <= today) return { cost: 0 };
  const prices = pricesOfPlan(payer, plan_id);
  if (prices.length === 0) failField('plan_id', 'PLAN_NOT_OFFERED');
  const worthFrom = (day: Day) => {
    const months = monthsBetween(day, expiry_date);
    const before = worthOfMonths(months, pricesOfPlan(payer, line.plan_id));
    return { before, after: worthOfMonths(months, prices) };
  };
  const { before, after } = worthFrom(today);
  if (after > before) {
    const cost = Math.ceil(after - before - TINY);
    return { cost, term: { months: monthsToCover(today, expiry_date), expiry_date, cost } };
  }
  const tomorrow = addDays(today, 1);
  const left = worthFrom(tomorrow);
  const unused = payments.filter((one) => unusedOf(one, line, tomorrow) > 0);
  const paid = unused.reduce((sum, one) => sum + unusedOf(one, line, tomorrow), 0);
  const most = Math.min(before - after, Math.min(left.before, paid) - left.after);
  const back = Math.floor(most + TINY);
  if (back <= 0) return { cost: 0 };
  const cost = unused.reduce((sum, { amount }) => sum + amount, -back);
  const months = monthsOf(cost, paid - back, line, tomorrow);
  return {
    cost: -back,
    refunds: unused.map(({ id }) => id),
    ...(cost > 0 && { term: { months, expiry_date, cost } }),
  };
}
