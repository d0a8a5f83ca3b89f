import { listPlans, type ServeWay } from '@linekeeper/contract/credits/plans.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { callQuery } from '#platform/api/call-query.ts';
import { allPricesQuery } from './prices.ts';

export type Plan = Reply<typeof listPlans>['items'][number];

/**
 * The query of the plans that the account can sell, and those of its lines. The result is kept
 * while the page is open, as prices are.
 */
export const plansQuery = () =>
  callQuery('credits', listPlans, {
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

/** The plans that are on sale or have lines, in their order; empty while they are unknown. */
export function usePlans(): readonly Plan[] {
  const { data } = useQuery(plansQuery());
  return (data?.items ?? []).filter(({ is_offered, lines }) => is_offered || lines !== 0);
}

/** True if lines can differ by their plan. With a single plan, the page does not show plans. */
export const useHasPlans = (): boolean => usePlans().length > 1;

export function usePlanName(): (id: string) => string {
  const plans = usePlans();
  return (id) => plans.find((plan) => plan.id === id)?.name ?? '';
}

/** The plans that the account can sell, each with a term on sale. */
export function usePlansOnSale(): readonly Plan[] {
  const plans = usePlans();
  const { data: prices } = useQuery(allPricesQuery());
  return plans.filter(
    ({ id, is_offered }) => is_offered && prices?.some(({ plan_id }) => plan_id === id),
  );
}

/** The servers for lines of a plan; all servers if the plan names none, or is unknown. */
export function serversOfPlan<Server extends { id: string }>(
  plan: Plan | undefined,
  servers: readonly Server[],
): readonly Server[] {
  if (!plan?.servers.length) return servers;
  const ids = plan.servers.map(({ server_id }) => server_id);
  return servers.filter(({ id }) => ids.includes(id));
}

/** The way in which a plan divides its lines among its servers. Without plans, each line is on one server. */
export const servesOf = (plan: Plan | undefined): ServeWay => plan?.serves ?? 'one';
