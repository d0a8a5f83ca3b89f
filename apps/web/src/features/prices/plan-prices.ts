import { useQuery } from '@tanstack/react-query';
import type { Prices } from '#domain/prices/prices.ts';
import { plansQuery } from './queries.ts';

/** A term of a plan. */
export type Term = Pick<Prices[number], 'plan_id' | 'months'>;

export const isSame = (one: Term) => (other: Term) =>
  one.plan_id === other.plan_id && one.months === other.months;

export interface PlanPrices {
  plan_id: string;
  /** The plan's name; undefined if there is only one plan, which is not named. */
  name: string | undefined;
  prices: Prices;
}

/** Prices plan by plan, in the order of the plans. */
export function pricesByPlan(prices: Prices, names: ReadonlyMap<string, string>): PlanPrices[] {
  const ids = [...new Set(prices.map(({ plan_id }) => plan_id))];
  const order = [...names.keys()];
  return ids
    .toSorted((one, other) => order.indexOf(one) - order.indexOf(other))
    .map((plan_id) => ({
      plan_id,
      name: ids.length > 1 ? names.get(plan_id) : undefined,
      prices: prices.filter((price) => price.plan_id === plan_id),
    }));
}

/** Names of the plans by their ids, in the order of the plans. */
export function usePlanNames(): ReadonlyMap<string, string> {
  const { data } = useQuery(plansQuery());
  return new Map(data?.items.map(({ id, name }) => [id, name]));
}
