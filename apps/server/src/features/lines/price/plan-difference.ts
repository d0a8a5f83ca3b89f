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
import type { PriceOfTerm } from '../../../db/schema/job-schema.ts';
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
  /** The first paid day; null if it is `months` before the last one. */
  begins_on: Day | null;
  expiry_date: Day;
}

/** Reads the payments of the account for these lines that were not refunded, by id of the line. */
export async function readPayments(
  db: Db,
  { id: payer_id }: SignedIn,
  line_ids: readonly string[],
): Promise<ReadonlyMap<string, Payment[]>> {
  const { rows } = await sql<Payment>`
    select paid.id, paid.line_id, paid.amount, months, begins_on::text, expiry_date::text
      from credit_transfers paid join sold_terms on transfer_id = paid.id
      where line_id = any(${line_ids}::uuid[]) and from_id = ${payer_id} and kind in ('sale', 'renewal')
        and not exists (select from credit_transfers refund where refund.refund_of = paid.id)
      order by paid.id`.execute(db);
  return Map.groupBy(rows, ({ line_id }) => line_id);
}

/** The price of a change of plan, the sold term, and the payments that this term replaces. */
interface PlanDifference {
  /** Credits to pay, below 0 if they are refunded. */
  cost: number;
  term?: SoldTerm;
  /** Payments that are refunded, because `term` is paid instead of them. */
  refunds?: readonly string[];
}

type ChangedLine = Pick<Line, 'plan_id' | 'expiry_date' | 'is_trial'>;

/** The part of a payment that paid for the days from `from` on, in credits, not rounded. */
function unusedOf(payment: Payment, line: ChangedLine, from: Day): number {
  const { amount, months, expiry_date } = payment;
  const begins = payment.begins_on ?? addMonths(expiry_date, -months);
  const ends = expiry_date < line.expiry_date ? expiry_date : line.expiry_date;
  const unused = daysBetween(laterDay(begins, from), ends);
  return unused <= 0 ? 0 : (amount * unused) / daysBetween(begins, expiry_date);
}

/** The share of a credit below which the error of adding fractions is ignored. */
const TINY = 1e-9;
/** Days over which a payment is spread, at most. */
const MOST_DAYS = 36_500;

/** The day from which `amount` was paid for a line, if `unused` credits of it pay for the days after `from`. */
function beginOf(amount: number, unused: number, { expiry_date }: ChangedLine, from: Day): Day {
  const days = Math.ceil((daysBetween(from, expiry_date) * amount) / Math.max(unused, TINY));
  return addDays(expiry_date, -Math.min(days, MOST_DAYS));
}

/** The worth of a plan's days in credits by these prices, not rounded. */
const worthIn = (prices: readonly PriceOfTerm[], plan: string, months: number): number =>
  worthOfMonths(
    months,
    prices.filter(({ plan_id }) => plan_id === plan),
  );

/**
 * The credits by which days of one plan are worth more than those of another, by the prices of the payer and of each
 * account above: an account above could otherwise raise the price of one plan, so that a change to the other is free.
 */
function moreWorth(
  { all_prices }: Payer,
  from_plan: string,
  to_plan: string,
  months: number,
): number {
  const tables = [undefined, ...(all_prices[0]?.above ?? []).keys()].map((at) =>
    all_prices.map((price) => {
      return { ...price, cost: at === undefined ? price.cost : (price.above[at] ?? price.cost) };
    }),
  );
  return Math.max(
    ...tables.map((table) => worthIn(table, to_plan, months) - worthIn(table, from_plan, months)),
  );
}

/**
 * The price of a line's unused days in another plan: the difference at today's prices of both, rounded up, and no less
 * than each account above would pay. A difference in the other direction is refunded, rounded down and without today,
 * which counts as used: at most what the payer has paid for these days beyond their price in the new plan. The payments
 * are refunded, and the remaining price is paid once more. Free for administrators, trials and expired lines. Throws
 * PLAN_NOT_OFFERED if the payer can buy no term of the plan. A part of a payment is never refunded (decision 0006).
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
  const months = monthsToCover(today, expiry_date);
  const more = moreWorth(payer, line.plan_id, plan_id, monthsBetween(today, expiry_date));
  if (more > TINY) {
    const cost = Math.ceil(more - TINY);
    return { cost, term: { months, begins_on: today, expiry_date, cost } };
  }
  const tomorrow = addDays(today, 1);
  const worth = (id: string) => worthIn(payer.all_prices, id, monthsBetween(tomorrow, expiry_date));
  const unused = payments.filter((one) => unusedOf(one, line, tomorrow) > 0);
  const paid = unused.reduce((sum, one) => sum + unusedOf(one, line, tomorrow), 0);
  const most = Math.min(-more, Math.min(worth(line.plan_id), paid) - worth(plan_id));
  const back = Math.floor(most + TINY);
  if (back <= 0) return { cost: 0 };
  const cost = unused.reduce((sum, { amount }) => sum + amount, -back);
  const begins_on = beginOf(cost, paid - back, line, tomorrow);
  return {
    cost: -back,
    refunds: unused.map(({ id }) => id),
    ...(cost > 0 && { term: { months, begins_on, expiry_date, cost } }),
  };
}
