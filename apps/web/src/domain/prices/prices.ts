import { listPrices } from '@linekeeper/contract/accounts/accounts.ts';
import { STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { callQuery } from '#platform/api/call-query.ts';

export type Prices = Reply<typeof listPrices>;

/** The query of prices. The result is kept while the page is open, so that forms with terms do not wait for it. */
const queryOfPrices = <Data = Prices>(select?: (prices: Prices) => Data) =>
  callQuery<typeof listPrices, Data>('credits', listPrices, {
    ...(select && { select }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

/** Prices of the terms on sale in all plans that the account can sell. */
export const allPricesQuery = () => queryOfPrices();

/**
 * Prices of the terms of a plan that are on sale for the account, in the order in which they are offered. The browser
 * computes no prices.
 */
export const pricesQuery = (plan_id: string = STANDARD_PLAN) =>
  queryOfPrices((prices) => prices.filter((price) => price.plan_id === plan_id));

/** The terms on sale in months, each once, in their order: those of a plan, or of all. */
export function termsOf(prices: Prices, plan_id?: string): number[] {
  const ofPlan = prices.filter((price) => plan_id === undefined || price.plan_id === plan_id);
  return [...new Set(ofPlan.map(({ months }) => months))];
}

/** The price of a term in a plan, or in all plans that have it; undefined if they differ, or none has it. */
export function priceIn(prices: Prices, months: number, plan_id?: string): number | undefined {
  const costs = new Set(
    prices
      .filter((price) => price.months === months)
      .filter((price) => plan_id === undefined || price.plan_id === plan_id)
      .map(({ cost }) => cost),
  );
  return costs.size === 1 ? [...costs][0] : undefined;
}

/** The terms of a plan, or of all plans, as `termsOf`; undefined while loading, none if they could not be loaded. */
export function useTerms(plan_id?: string): readonly number[] | undefined {
  const { data, failureCount } = useQuery(allPricesQuery());
  if (data) return termsOf(data, plan_id);
  return failureCount > 0 ? [] : undefined;
}

/** The remembered term if it is on sale, otherwise the first offered one; undefined if no term is known. */
export function termOnSale(
  remembered: number | null | undefined,
  terms: readonly number[] | undefined,
): number | undefined {
  return terms?.find((months) => months === remembered) ?? terms?.[0];
}

/**
 * The longest term that the credits suffice for, up to the given one, in any order of terms; the
 * given one if they suffice for none.
 */
export function longestPayable(
  months: number,
  terms: readonly number[],
  canPay: (months: number) => boolean,
): number {
  const payable = terms.filter((term) => term <= months && canPay(term));
  return payable.length > 0 ? Math.max(...payable) : months;
}

/** Price of a term in credits, as `priceIn`; undefined while loading. */
export function usePriceOf(plan_id?: string): (months: number) => number | undefined {
  const { data = [] } = useQuery(allPricesQuery());
  return (months) => priceIn(data, months, plan_id);
}

/** The lowest price of a plan's terms in credits; undefined if it has none. */
export function lowestCost(prices: Prices, plan_id: string): number | undefined {
  const costs = prices.filter((price) => price.plan_id === plan_id).map(({ cost }) => cost);
  return costs.length > 0 ? Math.min(...costs) : undefined;
}
