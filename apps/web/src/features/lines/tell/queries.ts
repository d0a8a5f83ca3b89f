import { jobCustomers } from '@linekeeper/contract/lines/customers.ts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from '#platform/api/client.ts';

interface Asked {
  told: boolean;
  owner: string | undefined;
}

/**
 * The query of the customers of a job who must be notified. Events about jobs make it stale, such as another person's
 * mark.
 */
export const customersQuery = (id: string, { told, owner }: Asked) =>
  infiniteQueryOptions({
    queryKey: ['jobs', 'customers', id, told, owner],
    queryFn: ({ pageParam, signal }) => {
      const query = { told: told ? 'true' : 'false', after: String(pageParam) } as const;
      const ask = { params: { id }, query: { ...query, ...(owner && { owner_id: owner }) } };
      return call(jobCustomers, ask, { signal });
    },
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
