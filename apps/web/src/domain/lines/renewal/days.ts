import { addMonths, type Day, laterDay } from '@linekeeper/contract/dates.ts';
import { LAST_DAY } from '@linekeeper/contract/pricing.ts';

/**
 * The expiry date after a renewal: months count from today or from the current expiry date,
 * whichever is later.
 */
export function renewedDay(months: number, expiry: Day, today: Day): Day {
  return addMonths(laterDay(today, expiry), months);
}

export function isSoldUntil(day: Day): boolean {
  return day <= LAST_DAY;
}

/** The new date must be later than this day; null for administrators, who may set any date. */
export function lastDayBefore(expiry: Day, today: Day, is_admin: boolean): Day | null {
  return is_admin ? null : laterDay(today, expiry);
}

/** True if the day can be sold and is later than `after` (null: any day). */
export function isOffered(day: Day, after: Day | null): boolean {
  return isSoldUntil(day) && (after === null || day > after);
}
