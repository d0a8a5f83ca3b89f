import {
  addDays,
  addMonths,
  type Day,
  laterDay,
  monthsToCover,
} from '@linekeeper/contract/dates.ts';
import type { Actor } from '@linekeeper/contract/permissions.ts';
import { isPricedDuration } from '@linekeeper/contract/pricing.ts';
import type { Db } from '../../../db/transaction.ts';
import type { SignedIn } from '../../../domain/context/access.ts';
import type { PriceFor } from '../../../domain/context/context.ts';
import type { SoldTerm } from '../../../domain/credits/charge.ts';
import { failField } from '../../../platform/errors/refusal.ts';

/** The acting account, which pays, with the current day and its prices. */
export interface ActingAccount {
  actor: SignedIn;
  priceFor: PriceFor;
  today(): Day;
}

/** The requested term of a line: months or an expiry date. */
export interface RequestedDuration {
  is_trial?: boolean;
  subscription_months?: number | undefined;
  expiry_date?: Day | undefined;
  /** More days for nothing; only for administrators. */
  days?: number | undefined;
}

export interface PricedDuration extends SoldTerm {
  /** Whole credits; also set for administrators, who pay nothing. */
  cost: number;
}

/** Only administrators may ask for months outside the price list. */
export function checkMonths(actor: Actor, months: number | undefined): void {
  if (months !== undefined && !isPricedDuration(months) && !actor.is_admin) {
    failField('subscription_months', 'INVALID_SUBSCRIPTION_MONTHS');
  }
}

/** Time for nothing is an administrator's to give. */
export function checkDays(actor: Actor, days: number | undefined): void {
  if (days !== undefined && !actor.is_admin) failField('days', 'ADMIN_ONLY_FIELD');
}

type Reader = Omit<ActingAccount, 'priceFor'>;

/** What the term costs. */
export async function priceTerm(
  db: Db,
  { actor, priceFor }: ActingAccount,
  term: SoldTerm,
): Promise<PricedDuration> {
  return { ...term, cost: term.months > 0 ? await priceFor(db, actor, term.months) : 0 };
}

/** The term of a new line. Only administrators may give a date. */
export function termOfNewLine(
  { actor, today }: Reader,
  requested: RequestedDuration,
  trialDays: number,
): SoldTerm {
  const { is_trial, subscription_months: months = 0, expiry_date } = requested;
  if (expiry_date && !actor.is_admin) failField('expiry_date', 'ADMIN_ONLY_FIELD');
  checkMonths(actor, requested.subscription_months);
  if (is_trial) return { months: 0, expiry_date: expiry_date ?? addDays(today(), trialDays) };
  return { months, expiry_date: expiry_date ?? addMonths(today(), months) };
}

/**
 * Only administrators may set an earlier date, or one that is not after today. Others could
 * otherwise revive an expired line for free, or end a trial early to start another.
 */
function refuseDateThatGivesNothing(actor: Actor, expiry_date: Day, base: Day): void {
  if (!actor.is_admin && expiry_date <= base) failField('expiry_date', 'INVALID_EXPIRY_DATE');
}

/**
 * The term of a renewal, counted from the later of today and the current expiry date. A given date costs the
 * cheapest months that cover it, at least one.
 */
export function termOfRenewal(
  { actor, today }: Reader,
  { subscription_months: months, expiry_date: wanted, days }: RequestedDuration,
  expiry: Day,
): SoldTerm {
  checkMonths(actor, months);
  checkDays(actor, days);
  const base = laterDay(today(), expiry);
  if (days !== undefined) return { months: 0, expiry_date: addDays(base, days) };
  if (months !== undefined) return { months, expiry_date: addMonths(base, months) };
  const expiry_date = wanted ?? expiry;
  refuseDateThatGivesNothing(actor, expiry_date, base);
  return { months: monthsToCover(base, expiry_date), expiry_date };
}

/**
 * The term of a line from a file, where others than administrators may give a date too: a day after today,
 * which costs the cheapest months that cover it.
 */
export function termOfImportedLine(
  acting: Reader,
  requested: RequestedDuration,
  trialDays: number,
): SoldTerm {
  const { actor, today } = acting;
  const { is_trial, subscription_months, expiry_date } = requested;
  if (subscription_months !== undefined && expiry_date !== undefined) {
    failField('expiry_date', 'MONTHS_OR_DATE');
  }
  if (actor.is_admin || is_trial || expiry_date === undefined) {
    return termOfNewLine(acting, requested, trialDays);
  }
  refuseDateThatGivesNothing(actor, expiry_date, today());
  return { months: monthsToCover(today(), expiry_date), expiry_date };
}
