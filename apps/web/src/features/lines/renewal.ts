import { cheapestCover, creditCost } from '@linekeeper/contract/credits.ts';
import {
  addMonths,
  type Day,
  laterDay,
  monthsToCover,
  parseDay,
} from '@linekeeper/contract/dates.ts';
import type { RenewalTerm } from './queries.ts';

/** Beyond it no line can be sold. */
const LAST_DAY: Day = '2099-12-31';

export interface Renewal {
  cost: number;
  expiry_date: Day;
}

/** The panel's own rules: from the later of today and the expiry; a date costs its cheapest cover. */
export function renewalOf(term: RenewalTerm, expiry: Day, today: Day): Renewal {
  const base = laterDay(today, expiry);
  const { subscription_months: months } = term;
  if (months !== undefined)
    return { cost: creditCost(months), expiry_date: addMonths(base, months) };
  const expiry_date = parseDay(term.expiry_date ?? '') ?? expiry;
  return { cost: cheapestCover(monthsToCover(base, expiry_date)), expiry_date };
}

export function isSoldUntil(day: Day): boolean {
  return day <= LAST_DAY;
}
