/** Credits by subscription months. */
export const prices = [
  { months: 1, cost: 2 },
  { months: 3, cost: 4 },
  { months: 6, cost: 6 },
  { months: 12, cost: 10 },
  { months: 24, cost: 15 },
] as const;

/** An administrator's balance is not counted: it is always shown as this. */
export const ADMIN_CREDITS_SHOWN = 1000;

/** Credits for a subscription of exactly `months`; 0 for a duration outside the table. */
export function creditCost(months: number): number {
  return prices.find((price) => price.months === months)?.cost ?? 0;
}

export function isPricedDuration(months: number): boolean {
  return prices.some((price) => price.months === months);
}

/**
 * The least total of table entries that together last `months` or longer:
 * 9 months cost 10 (one of 12), 13 cost 12 (12 and 1). 0 for nothing to cover.
 */
export function cheapestCover(months: number): number {
  const best = [0];
  for (let covered = 1; covered <= months; covered++) {
    best[covered] = Math.min(
      ...prices.map((price) => price.cost + (best[Math.max(0, covered - price.months)] ?? 0)),
    );
  }
  return best[Math.max(0, months)] ?? 0;
}
