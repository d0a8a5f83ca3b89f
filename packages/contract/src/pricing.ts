import { type Day, LAST_YEAR } from './dates.ts';

/** The credits that a number of months costs an account. */
export interface Price {
  months: number;
  cost: number;
}

/** The prices with which a new panel begins, shortest term first. The panel's own are in the plan's terms. */
export const firstPrices: readonly Price[] = [
  { months: 1, cost: 2 },
  { months: 3, cost: 4 },
  { months: 6, cost: 6 },
  { months: 12, cost: 10 },
  { months: 24, cost: 15 },
];

/** The most plans of a panel. */
export const MAX_PLANS = 50;

/** The latest expiry date that a line can have. */
export const LAST_DAY: Day = `${LAST_YEAR}-12-31`;

/** The balance that is shown for administrators, whose credits are not counted. */
export const ADMIN_CREDITS_SHOWN = 1000;

/**
 * Credits for any number of months: the price of that term, or else the lowest total of terms that together last at
 * least as long. By the first prices, 9 months cost 10 (one term of 12) and 13 months cost 12 (12 and 1). 0 for 0
 * months.
 */
export function costOfMonths(months: number, table: readonly Price[]): number {
  const exact = table.find((price) => price.months === months);
  if (exact) return exact.cost;
  const best = [0];
  for (let covered = 1; covered <= months; covered++) {
    best[covered] = Math.min(
      ...table.map((price) => price.cost + (best[Math.max(0, covered - price.months)] ?? 0)),
    );
  }
  return best[Math.max(0, months)] ?? 0;
}

/**
 * Credits that months of a plan, the last one perhaps in part, are worth by its prices, not rounded: a term is worth its
 * price, and between two terms on sale each part of a month costs the same.
 */
export function worthOfMonths(months: number, table: readonly Price[]): number {
  const ends = [...new Set(table.map((price) => price.months))].sort((a, b) => a - b);
  const longest = ends.at(-1);
  if (longest === undefined || months <= 0) return 0;
  const whole = Math.floor(months / longest);
  const rest = months - whole * longest;
  const to = ends.find((end) => end >= rest) ?? longest;
  const from = ends.findLast((end) => end < to) ?? 0;
  const [least, most] = [costOfMonths(from, table), costOfMonths(to, table)];
  return (
    whole * costOfMonths(longest, table) + least + ((rest - from) / (to - from)) * (most - least)
  );
}
