import { STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import {
  addDays,
  addMonths,
  type Day,
  formatDay,
  laterDay,
  monthsToCover,
} from '@linekeeper/contract/dates.ts';
import type { Duration } from '@linekeeper/contract/fields/line-fields.ts';
import type { Line, NewLine } from '@linekeeper/contract/lines/lines.ts';
import type { Actor } from '@linekeeper/contract/permissions.ts';
import { costOfMonths, LAST_DAY } from '@linekeeper/contract/pricing.ts';
import type { Offer, OfferedPlan, PriceOfTerm } from '../../../db/schema/job-schema.ts';
import type { Db } from '../../../db/transaction.ts';
import type { SignedIn } from '../../../domain/context/access.ts';
import type { SoldTerm } from '../../../domain/credits/charge.ts';
import { pricesOnSale, readOffer } from '../../../domain/credits/prices.ts';
import { fail, failField } from '../../../platform/errors/refusal.ts';

/** The acting account, which pays, with the current day. */
export interface ActingAccount {
  actor: SignedIn;
  today(): Day;
  /** The offer at the request of a job, whose prices its lines are paid by, even if the job takes long. */
  offer?: Offer | null;
}

/** The acting account with all data that the price and the days of a term depend on. */
export interface Payer {
  actor: SignedIn;
  prices: readonly PriceOfTerm[];
  /**
   * The prices, including those of longer terms than the payer may buy, from which the worth of
   * unused days is computed.
   */
  all_prices: readonly PriceOfTerm[];
  plans: readonly OfferedPlan[];
  /** The last day on which the account sells; null if it has no end. */
  ends_on: Day | null;
  today: Day;
}

/** The term of a new line in a request. */
type NewTerm = Pick<NewLine, 'is_trial' | keyof Duration> & { plan_id: string };

/** The time that a request gives a line: months or an expiry date. */
export interface AskedTerm extends Duration {
  /** Days free of charge; only for administrators. */
  days?: number | undefined;
  /** True to accept an earlier date than the current one. */
  may_shorten?: boolean | undefined;
}

/** The fields of a line on which its renewal depends. */
type RenewedLine = Pick<Line, 'plan_id' | 'expiry_date'>;

export async function readPayer(db: Db, { actor, today, offer }: ActingAccount): Promise<Payer> {
  const read = offer ?? (await readOffer(db, actor));
  const { prices: all_prices, plans = [], ends_on } = read;
  return { prices: pricesOnSale(read), all_prices, plans, ends_on, actor, today: today() };
}

const isOfferedTo =
  ({ actor }: Pick<Payer, 'actor'>) =>
  ({ is_offered }: OfferedPlan) =>
    is_offered || actor.is_admin;

/** The plan with this id; without an id, Standard if it is offered, and otherwise the first offered plan. */
export function findPlan(payer: Pick<Payer, 'actor' | 'plans'>, plan_id?: string) {
  const { plans } = payer;
  if (plan_id !== undefined) return plans.find((plan) => plan.plan_id === plan_id);
  const offered = plans.filter(isOfferedTo(payer));
  return offered.find((plan) => plan.plan_id === STANDARD_PLAN) ?? offered[0];
}

/**
 * The plan for a sale or a change of plan, as `findPlan` returns it. Throws PLAN_NOT_FOUND, or PLAN_NOT_OFFERED unless
 * the payer is an administrator, who may use every plan. `field` is the field that the error names.
 */
export function planOf(payer: Payer, plan_id?: string, field = 'plan_id'): OfferedPlan {
  const plan = findPlan(payer, plan_id);
  if (!plan && plan_id !== undefined) failField(field, 'PLAN_NOT_FOUND');
  return plan && isOfferedTo(payer)(plan) ? plan : failField(field, 'PLAN_NOT_OFFERED');
}

/** The prices of a plan for the payer. */
export const pricesOfPlan = ({ prices }: Payer, plan_id: string): PriceOfTerm[] =>
  prices.filter((price) => price.plan_id === plan_id);

/**
 * Whole credits that the payer owes for months of a plan; 0 for administrators, who pay nothing.
 * Throws INVALID_SUBSCRIPTION_MONTHS if the payer can buy no term of the plan.
 */
export function costOf(payer: Payer, months: number, plan_id: string): number {
  if (payer.actor.is_admin || months <= 0) return 0;
  const prices = pricesOfPlan(payer, plan_id);
  if (prices.length === 0) failField('subscription_months', 'INVALID_SUBSCRIPTION_MONTHS');
  return costOfMonths(months, prices);
}

const priced = (payer: Payer, plan_id: string, months: number, expiry_date: Day): SoldTerm => ({
  months,
  expiry_date,
  cost: costOf(payer, months, plan_id),
});

/** Throws QUOTE_CHANGED if the caller was quoted another cost, before anything is charged. */
export function checkQuote(quoted: number | undefined, cost: number): void {
  if (quoted !== undefined && quoted !== cost) fail('QUOTE_CHANGED', { cost, count: cost });
}

/**
 * Checks that the actor may choose this term, of one plan or without `plan_id` of any: only
 * administrators use months that are not on sale, or give free days. Throws
 * INVALID_SUBSCRIPTION_MONTHS, ADMIN_ONLY_FIELD, and ACCOUNT_ENDED if the account no longer sells.
 */
export function checkTerm(
  payer: Payer,
  { subscription_months: months, days }: AskedTerm,
  plan_id?: string,
): void {
  const { actor, prices, ends_on, today } = payer;
  if (actor.is_admin) return;
  if (ends_on !== null && today > ends_on) fail('ACCOUNT_ENDED', { day: formatDay(ends_on) });
  const onSale = plan_id === undefined ? prices : pricesOfPlan(payer, plan_id);
  if (months !== undefined && !onSale.some((price) => price.months === months)) {
    failField('subscription_months', 'INVALID_SUBSCRIPTION_MONTHS');
  }
  if (days !== undefined) failField('days', 'ADMIN_ONLY_FIELD');
}

/**
 * The term of a new line. Throws ADMIN_ONLY_FIELD, because only administrators may give a date, and
 * INVALID_SUBSCRIPTION_MONTHS.
 */
export function termOfNewLine(payer: Payer, asked: NewTerm, trialDays: number): SoldTerm {
  const { actor, today } = payer;
  const { plan_id, is_trial, subscription_months, expiry_date } = asked;
  if (expiry_date && !actor.is_admin) failField('expiry_date', 'ADMIN_ONLY_FIELD');
  checkTerm(payer, asked, plan_id);
  if (is_trial) return priced(payer, plan_id, 0, expiry_date ?? addDays(today, trialDays));
  const months = subscription_months ?? 0;
  return priced(payer, plan_id, months, expiry_date ?? addMonths(today, months));
}

/**
 * Throws INVALID_EXPIRY_DATE: only administrators may set an earlier date, or one that is not after today. Others could
 * otherwise revive an expired line free of charge, or end a trial early to start another.
 */
function refuseDateThatGivesNothing(actor: Actor, expiry_date: Day, base: Day): void {
  if (!actor.is_admin && expiry_date <= base) failField('expiry_date', 'INVALID_EXPIRY_DATE');
}

/**
 * The term of days, of months, or of the cheapest months that cover a given date, counted from the later of today and the
 * current expiry date. Throws INVALID_EXPIRY_DATE.
 */
function renewedTerm(
  payer: Payer,
  { subscription_months: months, expiry_date: wanted, days }: AskedTerm,
  { plan_id, expiry_date: expiry }: RenewedLine,
): SoldTerm {
  const base = laterDay(payer.today, expiry);
  if (days !== undefined) return priced(payer, plan_id, 0, addDays(base, days));
  if (months !== undefined) return priced(payer, plan_id, months, addMonths(base, months));
  const expiry_date = wanted ?? expiry;
  refuseDateThatGivesNothing(payer.actor, expiry_date, base);
  return priced(payer, plan_id, monthsToCover(base, expiry_date), expiry_date);
}

/**
 * The term of a renewal. Throws INVALID_SUBSCRIPTION_MONTHS, ADMIN_ONLY_FIELD, INVALID_EXPIRY_DATE, WOULD_SHORTEN and
 * EXPIRY_TOO_LATE.
 */
export function termOfRenewal(payer: Payer, asked: AskedTerm, line: RenewedLine): SoldTerm {
  checkTerm(payer, asked, line.plan_id);
  const term = renewedTerm(payer, asked, line);
  if (term.expiry_date < line.expiry_date && !asked.may_shorten)
    failField('expiry_date', 'WOULD_SHORTEN');
  const field = asked.subscription_months === undefined ? 'expiry_date' : 'subscription_months';
  if (term.expiry_date > LAST_DAY) failField(field, 'EXPIRY_TOO_LATE');
  return term;
}

/**
 * The term of a line from a file. Accounts other than administrators may give a date too: a day after today, which
 * costs the cheapest months that cover it. Throws MONTHS_OR_DATE, INVALID_EXPIRY_DATE, ADMIN_ONLY_FIELD and
 * INVALID_SUBSCRIPTION_MONTHS.
 */
export function termOfImportedLine(payer: Payer, asked: NewTerm, trialDays: number): SoldTerm {
  const { actor, today } = payer;
  const { plan_id, is_trial, subscription_months, expiry_date } = asked;
  if (subscription_months !== undefined && expiry_date !== undefined) {
    failField('expiry_date', 'MONTHS_OR_DATE');
  }
  if (actor.is_admin || is_trial || expiry_date === undefined) {
    return termOfNewLine(payer, asked, trialDays);
  }
  checkTerm(payer, asked, plan_id);
  refuseDateThatGivesNothing(actor, expiry_date, today);
  return priced(payer, plan_id, monthsToCover(today, expiry_date), expiry_date);
}
