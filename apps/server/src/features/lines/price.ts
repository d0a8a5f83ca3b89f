import { cheapestCover, creditCost, isPricedDuration } from '@linekeeper/contract/credits.ts';
import {
  addDays,
  addMonths,
  type Day,
  laterDay,
  monthsToCover,
} from '@linekeeper/contract/dates.ts';
import type { Actor } from '@linekeeper/contract/permissions.ts';
import { failField } from '../../core/refusal.ts';

export interface Term {
  /** Whole credits; what an administrator would owe too, who pays nothing. */
  cost: number;
  expiry_date: Day;
}

export interface Wish {
  is_trial?: boolean;
  subscription_months?: number | undefined;
  expiry_date?: Day | undefined;
}

/** Months outside the price table cost 0: only an administrator may ask for them. */
export function checkMonths(actor: Actor, months: number | undefined): void {
  if (months !== undefined && !isPricedDuration(months) && !actor.is_admin) {
    failField('subscription_months', 'INVALID_SUBSCRIPTION_MONTHS');
  }
}

/** What a new line costs and how long it lasts. An expiry date may be named by administrators only. */
export function termOfNewLine(actor: Actor, wish: Wish, today: Day, trialDays: number): Term {
  if (wish.expiry_date && !actor.is_admin) failField('expiry_date', 'ADMIN_ONLY_FIELD');
  checkMonths(actor, wish.subscription_months);
  if (wish.is_trial) return { cost: 0, expiry_date: wish.expiry_date ?? addDays(today, trialDays) };
  const months = wish.subscription_months ?? 0;
  return {
    cost: creditCost(months),
    expiry_date: wish.expiry_date ?? addMonths(today, months),
  };
}

/**
 * What a renewal costs and how long the line then lasts, from the later of today and its expiry. A
 * named date costs the cheapest months that reach it; one within what is paid for costs nothing.
 */
export function termOfRenewal(actor: Actor, wish: Wish, today: Day, expiry: Day): Term {
  checkMonths(actor, wish.subscription_months);
  const base = laterDay(today, expiry);
  if (wish.subscription_months !== undefined) {
    return {
      cost: creditCost(wish.subscription_months),
      expiry_date: addMonths(base, wish.subscription_months),
    };
  }
  const expiry_date = wish.expiry_date ?? expiry;
  return { cost: cheapestCover(monthsToCover(base, expiry_date)), expiry_date };
}
