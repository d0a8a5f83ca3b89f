import type { CallInput } from '@linekeeper/contract/endpoint.ts';
import { compareServer } from '@linekeeper/contract/servers/compare.ts';
import {
  type HealthRange,
  listServerChecks,
  serverHealth,
} from '@linekeeper/contract/servers/health.ts';
import {
  getServer,
  listServers,
  type Server,
  serverCustomers,
} from '@linekeeper/contract/servers/servers.ts';
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import { callQuery } from '../../shared/api/call-query.ts';
import { call } from '../../shared/api/client.ts';
import { fetchAll } from '../../shared/api/fetch-all.ts';
import { HEALTH_REFETCH_MS } from '../../shared/server-health/server-health.ts';

/** One more check per minute changes little in a chart of a whole day. */
const HISTORY_STALE_MS = 5 * 60_000;

/** Live changes and commands to servers refetch all queries whose key begins with 'servers'. */
export const serverQuery = (id: string) => callQuery('servers', getServer, { params: { id } });

/** All servers across pages, for actions on every server. */
export function everyServerQuery() {
  return queryOptions({
    queryKey: ['servers', 'every'],
    meta: { isKept: true },
    queryFn: async ({ signal }) =>
      (await fetchAll((query) => call(listServers, { query }, { signal }))).rows,
  });
}

/**
 * Refetched when the status changes or after a manual test, but not for the check of every minute.
 */
export function serverChecksQuery({ id, status }: Server) {
  return queryOptions({
    queryKey: [...checksKey(id), status],
    queryFn: async ({ signal }) => {
      const { items } = await call(listServerChecks, { params: { id } }, { signal });
      return items;
    },
    staleTime: HISTORY_STALE_MS,
    refetchInterval: HISTORY_STALE_MS,
    placeholderData: keepPreviousData,
  });
}

/** Polled, because a check is a live change only where it changes the status. */
export function serverHealthQuery(id: string, range: HealthRange) {
  return queryOptions({
    queryKey: [...checksKey(id), 'health', range],
    queryFn: ({ signal }) => call(serverHealth, { params: { id }, query: { range } }, { signal }),
    refetchInterval: HEALTH_REFETCH_MS,
    placeholderData: keepPreviousData,
  });
}

/** Key of one server's checks, or of all servers' without an id. */
export function checksKey(id?: string) {
  return ['server-checks', ...(id ? [id] : [])] as const;
}

/** Never served from the cache: the content of a server may have changed since. */
export const comparisonQuery = (id: string) =>
  callQuery('server-comparison', compareServer, {
    params: { id },
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

/** How many lines have the server's address. Asked anew each time, since it is said before they change. */
export type ServerAsItWouldBe = NonNullable<CallInput<typeof serverCustomers>['query']>;

/** Lines of the server whose customers would enter something else. */
export const serverCustomersQuery = (id: string, query: ServerAsItWouldBe) =>
  callQuery('servers', serverCustomers, { params: { id }, query, staleTime: 0 });

/** The file of these lines, each with what its customer enters and would enter. */
export function customersFile(id: string, query: ServerAsItWouldBe): string {
  const given = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return `/api/servers/${id}/customers/csv?${new URLSearchParams(given)}`;
}

export function useRefreshServers(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['servers'] });
}
