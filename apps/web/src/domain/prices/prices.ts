import { listPrices } from '@linekeeper/contract/accounts/accounts.ts';
import { useQuery } from '@tanstack/react-query';
import { callQuery } from '#platform/api/call-query.ts';

/** The price list for the account. The browser computes no prices. */
export const pricesQuery = () =>
  callQuery('credits', listPrices, { staleTime: Number.POSITIVE_INFINITY });

/** Price of a term in credits; undefined while loading, or if the months are no term. */
export function usePriceOf(): (months: number) => number | undefined {
  const { data } = useQuery(pricesQuery());
  return (months) => data?.find((price) => price.months === months)?.cost;
}
