import { listPrices } from '@linekeeper/contract/accounts/accounts.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../api/client.ts';

/** The price list for the account. The browser computes no prices. */
export function pricesQuery() {
  return queryOptions({
    queryKey: ['credits', 'prices'],
    meta: { isKept: true },
    queryFn: ({ signal }) => call(listPrices, {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Price of a term in credits; undefined while loading, or if the months are no term. */
export function usePriceOf(): (months: number) => number | undefined {
  const { data } = useQuery(pricesQuery());
  return (months) => data?.find((price) => price.months === months)?.cost;
}
