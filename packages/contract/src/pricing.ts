import { type Day, LAST_YEAR } from './dates.ts';

export interface Price {
  months: number;
  cost: number;
}

/** The terms on sale in months, shortest first. */
export const terms = [1, 3, 6, 12, 24] as const;

const costs: Record<(typeof terms)[number], number> = { 1: 2, 3: 4, 6: 6, 12: 10, 24: 15 };

/** The default price list: credits by months. The server decides the price for an account, which may differ. */
export const prices: readonly Price[] = terms.map((months) => ({ months, cost: costs[months] }));

/** The latest expiry date that a line can have. */
export const LAST_DAY: Day = `${LAST_YEAR}-12-31`;

/** The balance that is shown for administrators, whose credits are not counted. */
export const ADMIN_CREDITS_SHOWN = 1000;

export function isPricedDuration(months: number): boolean {
  return prices.some((price) => price.months === months);
}

/**
 * The lowest total price of table entries that together last at least `months`: 9 months cost 10
 * (one term of 12), 13 months cost 12 (12 and 1). 0 for 0 months.
 */
export function cheapestCover(months: number, table: readonly Price[] = prices): number {
  const best = [0];
  for (let covered = 1; covered <= months; covered++) {
    best[covered] = Math.min(
      ...table.map((price) => price.cost + (best[Math.max(0, covered - price.months)] ?? 0)),
    );
  }
  return best[Math.max(0, months)] ?? 0;
}
