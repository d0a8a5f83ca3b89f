import { lookForOrphans } from '@linekeeper/contract/servers/orphans.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#platform/api/client.ts';

const LOOK_EVERY_MS = 10_000;

/** The query that makes the panel look for orphans on card servers, repeated while its page is open. */
export function orphanScansQuery() {
  return queryOptions({
    queryKey: ['orphan-scans'],
    queryFn: async ({ signal, client }) => {
      const { items } = await call(lookForOrphans, {}, { signal });
      void client.invalidateQueries({ queryKey: ['sync', 'orphans'] });
      return items;
    },
    staleTime: 0,
    refetchInterval: LOOK_EVERY_MS,
    retry: false,
  });
}
