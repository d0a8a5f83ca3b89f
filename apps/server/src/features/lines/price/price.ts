import {
  addDays,
  addMonths,
  type Day,
  laterDay,
  monthsToCover,
} from '@linekeeper/contract/dates.ts';
import type { Actor } from '@linekeeper/contract/permissions.ts';
import { cheapestCover, isPricedDuration, type Price } from '@linekeeper/contract/pricing.ts';
import type { Db } from '../../../db/transaction.ts';
import type { SignedIn } from '../../../domain/context/access.ts';
import type { ReadPrices } from '../../../domain/context/context.ts';
import type { SoldTerm } from '../../../domain/credits/charge.ts';
import { failField } from '../../../platform/errors/refusal.ts';

/** The acting account, which pays, with the current day and its prices, which are still to be read. */
export interface ActingAccount {
  actor: SignedIn;
  readPrices: ReadPrices;
  today(): Day;
}

/** The acting account with all that the price and the days of a term follow from. */
export interface Payer {
  actor: SignedIn;
  prices: readonly Price[];
  today: Day;
}

/** The requested term of a line: months or an expiry date. */
export interface RequestedDuration {
  is_trial?: boolean;
  subscription_months?: number | undefined;
  expiry_date?: Day | undefined;
  /** More days for nothing; only for administrators. */
  days?: number | undefined;
  /** An earlier date than before is meant. */
  may_shorten?: boolean | undefined;
}

export async function readPayer(
  db: Db,
  { actor, readPrices, today }: ActingAccount,
): Promise<Payer> {
  return { actor, prices: await readPrices(db, actor), today: today() };
}

/** Whole credits that the payer owes for the months; 0 for administrators, who pay nothing. */
export function costOf({ actor, prices }: Payer, months: number): number {
  return actor.is_admin ? 0 : cheapestCover(months, prices);
}

function priced(payer: Payer, months: number, expiry_date: Day): SoldTerm {
  return { months, expiry_date, cost: costOf(payer, months) };
}

/** Throws INVALID_SUBSCRIPTION_MONTHS: only administrators may ask for months outside the price list. */
export function checkMonths(actor: Actor, months: number | undefined): void {
  if (months !== undefined && !isPricedDuration(months) && !actor.is_admin) {
    failField('subscription_months', 'INVALID_SUBSCRIPTION_MONTHS');
  }
}

/** Throws ADMIN_ONLY_FIELD: time for nothing is an administrator's to give. */
export function checkDays(actor: Actor, days: number | undefined): void {
  if (days !== undefined && !actor.is_admin) failField('days', 'ADMIN_ONLY_FIELD');
}

/**
 * The term of a new line. Throws ADMIN_ONLY_FIELD, because only administrators may give a date, and
 * INVALID_SUBSCRIPTION_MONTHS.
 */
export function termOfNewLine(
  payer: Payer,
  { is_trial, subscription_months, expiry_date }: RequestedDuration,
  trialDays: number,
): SoldTerm {
  const { actor, today } = payer;
  if (expiry_date && !actor.is_admin) failField('expiry_date', 'ADMIN_ONLY_FIELD');
  checkMonths(actor, subscription_months);
  if (is_trial) return priced(payer, 0, expiry_date ?? addDays(today, trialDays));
  const months = subscription_months ?? 0;
  return priced(payer, months, expiry_date ?? addMonths(today, months));
}

/**
 * Throws INVALID_EXPIRY_DATE: only administrators may set an earlier date, or one that is not after today. Others
 * could otherwise revive an expired line for free, or end a trial early to start another.
 */
function refuseDateThatGivesNothing(actor: Actor, expiry_date: Day, base: Day): void {
  if (!actor.is_admin && expiry_date <= base) failField('expiry_date', 'INVALID_EXPIRY_DATE');
}

/**
 * The term of a renewal, counted from the later of today and the current expiry date. A given date costs the
 * cheapest months that cover it, at least one. Throws INVALID_SUBSCRIPTION_MONTHS, ADMIN_ONLY_FIELD and
 * INVALID_EXPIRY_DATE.
 */
export function termOfRenewal(
  payer: Payer,
  { subscription_months: months, expiry_date: wanted, days }: RequestedDuration,
  expiry: Day,
): SoldTerm {
  const { actor, today } = payer;
  checkMonths(actor, months);
  checkDays(actor, days);
  const base = laterDay(today, expiry);
  if (days !== undefined) return priced(payer, 0, addDays(base, days));
  if (months !== undefined) return priced(payer, months, addMonths(base, months));
  const expiry_date = wanted ?? expiry;
  refuseDateThatGivesNothing(actor, expiry_date, base);
  return priced(payer, monthsToCover(base, expiry_date), expiry_date);
}

/**
 * The term of a line from a file, where others than administrators may give a date too: a day after today,
 * which costs the cheapest months that cover it. Throws MONTHS_OR_DATE, INVALID_EXPIRY_DATE, ADMIN_ONLY_FIELD and
 * INVALID_SUBSCRIPTION_MONTHS.
 */
export function termOfImportedLine(
  payer: Payer,
  requested: RequestedDuration,
  trialDays: number,
): SoldTerm {
  const { actor, today } = payer;
  const { is_trial, subscription_months, expiry_date } = requested;
  if (subscription_months !== undefined && expiry_date !== undefined) {
    failField('expiry_date', 'MONTHS_OR_DATE');
  }
  if (actor.is_admin || is_trial || expiry_date === undefined) {
    return termOfNewLine(payer, requested, trialDays);
  }
  refuseDateThatGivesNothing(actor, expiry_date, today);
  return priced(payer, monthsToCover(today, expiry_date), expiry_date);
}
