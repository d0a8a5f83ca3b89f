import {
  addDays,
  addMonths,
  type Day,
  formatDay,
  laterDay,
  monthsToCover,
} from '@linekeeper/contract/dates.ts';
import type { Duration } from '@linekeeper/contract/fields/line-fields.ts';
import type { NewLine } from '@linekeeper/contract/lines/lines.ts';
import type { Actor } from '@linekeeper/contract/permissions.ts';
import { costOfMonths, LAST_DAY, type Price } from '@linekeeper/contract/pricing.ts';
import type { Offer } from '../../../db/schema/job-schema.ts';
import type { Db } from '../../../db/transaction.ts';
import type { SignedIn } from '../../../domain/context/access.ts';
import type { SoldTerm } from '../../../domain/credits/charge.ts';
import { readOffer } from '../../../domain/credits/prices.ts';
import { fail, failField } from '../../../platform/errors/refusal.ts';

/** The acting account, which pays, with the current day. */
export interface ActingAccount {
  actor: SignedIn;
  today(): Day;
  /** The offer at the request of a job, by which its lines are paid however long the job takes. */
  offer?: Offer | null;
}

/** The acting account with all data that the price and the days of a term depend on. */
export interface Payer {
  actor: SignedIn;
  prices: readonly Price[];
  /** The last day on which the account sells; null if it has no end. */
  ends_on: Day | null;
  today: Day;
}

/** The term that is requested for a new line. */
type NewTerm = Pick<NewLine, 'is_trial' | keyof Duration>;

/** The time that is requested for a line: months or an expiry date. */
export interface AskedTerm extends Duration {
  /** Days free of charge; only for administrators. */
  days?: number | undefined;
  /** True to accept an earlier date than the current one. */
  may_shorten?: boolean | undefined;
}

export async function readPayer(db: Db, { actor, today, offer }: ActingAccount): Promise<Payer> {
  return { ...(offer ?? (await readOffer(db, actor))), actor, today: today() };
}

/**
 * Whole credits that the payer owes for the months; 0 for administrators, who pay nothing. Throws
 * INVALID_SUBSCRIPTION_MONTHS if nothing is on sale for the payer.
 */
export function costOf({ actor, prices }: Payer, months: number): number {
  if (actor.is_admin || months <= 0) return 0;
  if (prices.length === 0) failField('subscription_months', 'INVALID_SUBSCRIPTION_MONTHS');
  return costOfMonths(months, prices);
}

function priced(payer: Payer, months: number, expiry_date: Day): SoldTerm {
  return { months, expiry_date, cost: costOf(payer, months) };
}

/** Throws QUOTE_CHANGED if the caller was quoted another cost, before anything is charged. */
export function checkQuote(quoted: number | undefined, cost: number): void {
  if (quoted !== undefined && quoted !== cost) fail('QUOTE_CHANGED', { cost, count: cost });
}

/**
 * Checks that the actor may choose this term: only administrators use months that are not on sale, or give free days. Throws
 * INVALID_SUBSCRIPTION_MONTHS, ADMIN_ONLY_FIELD, and ACCOUNT_ENDED if the account no longer sells.
 */
export function checkTerm(
  { actor, prices, ends_on, today }: Payer,
  { subscription_months: months, days }: AskedTerm,
): void {
  if (actor.is_admin) return;
  if (ends_on !== null && today > ends_on) fail('ACCOUNT_ENDED', { day: formatDay(ends_on) });
  if (months !== undefined && !prices.some((price) => price.months === months)) {
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
  const { is_trial, subscription_months, expiry_date } = asked;
  if (expiry_date && !actor.is_admin) failField('expiry_date', 'ADMIN_ONLY_FIELD');
  checkTerm(payer, asked);
  if (is_trial) return priced(payer, 0, expiry_date ?? addDays(today, trialDays));
  const months = subscription_months ?? 0;
  return priced(payer, months, expiry_date ?? addMonths(today, months));
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
  expiry: Day,
): SoldTerm {
  const base = laterDay(payer.today, expiry);
  if (days !== undefined) return priced(payer, 0, addDays(base, days));
  if (months !== undefined) return priced(payer, months, addMonths(base, months));
  const expiry_date = wanted ?? expiry;
  refuseDateThatGivesNothing(payer.actor, expiry_date, base);
  return priced(payer, monthsToCover(base, expiry_date), expiry_date);
}

/**
 * The term of a renewal. Throws INVALID_SUBSCRIPTION_MONTHS, ADMIN_ONLY_FIELD, INVALID_EXPIRY_DATE, WOULD_SHORTEN and
 * EXPIRY_TOO_LATE.
 */
export function termOfRenewal(payer: Payer, asked: AskedTerm, expiry: Day): SoldTerm {
  checkTerm(payer, asked);
  const term = renewedTerm(payer, asked, expiry);
  if (term.expiry_date < expiry && !asked.may_shorten) failField('expiry_date', 'WOULD_SHORTEN');
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
  const { is_trial, subscription_months, expiry_date } = asked;
  if (subscription_months !== undefined && expiry_date !== undefined) {
    failField('expiry_date', 'MONTHS_OR_DATE');
  }
  if (actor.is_admin || is_trial || expiry_date === undefined) {
    return termOfNewLine(payer, asked, trialDays);
  }
  checkTerm(payer, asked);
  refuseDateThatGivesNothing(actor, expiry_date, today);
  return priced(payer, monthsToCover(today, expiry_date), expiry_date);
}
