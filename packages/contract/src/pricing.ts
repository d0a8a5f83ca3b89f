import { type Day, LAST_YEAR } from './dates.ts';

/** The price in credits for a number of months. */
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

/** For each number of months from 0 to `last`, the lowest total of terms that together last at least as long. */
function leastByMonths(last: number, table: readonly Price[]): number[] {
  const least = [0];
  for (let covered = 1; covered <= last; covered++) {
    least[covered] = Math.min(
      ...table.map((price) => price.cost + (least[Math.max(0, covered - price.months)] ?? 0)),
    );
  }
  return least;
}

/**
 * Credits for any number of months: the price of that term, or else the lowest total of terms that
 * together last at least as long. By the first price list, 9 months cost 10 (one term of 12) and 13
 * months cost 12 (12 and 1). 0 for 0 months.
 */
export function costOfMonths(months: number, table: readonly Price[]): number {
  const exact = table.find((price) => price.months === months);
  return exact ? exact.cost : (leastByMonths(months, table)[Math.max(0, months)] ?? 0);
}

/**
 * Credits that months of a plan, the last one perhaps in part, are worth by its prices, not rounded: one term as often as
 * it fits, and of the rest, between two terms on sale each part of a month costs the same. The term by which this is least
 * counts, so that a term is worth its price unless a shorter one costs less by the month.
 */
export function worthOfMonths(months: number, table: readonly Price[]): number {
  if (table.length === 0 || months <= 0) return 0;
  const ends = [0, ...new Set(table.map((price) => price.months))].sort((a, b) => a - b);
  const least = leastByMonths(ends.at(-1) ?? 0, table);
  const worthBy = (term: Price): number => {
    const whole = Math.floor(months / term.months);
    const rest = months - whole * term.months;
    const to = ends.find((end) => end > 0 && end >= rest) ?? term.months;
    const from = ends.findLast((end) => end < to) ?? 0;
    const [less, more] = [least[from] ?? 0, least[to] ?? 0];
    return whole * term.cost + less + ((rest - from) / (to - from)) * (more - less);
  };
  return Math.min(...table.map(worthBy));
}
