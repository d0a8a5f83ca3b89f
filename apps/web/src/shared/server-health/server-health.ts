import { serversHealth } from '@linekeeper/contract/servers/health.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

/** As often as each server is checked. */
export const HEALTH_REFETCH_MS = 60_000;

/** Polled, because a check is a live change only where it changes a server's status. */
export function serversHealthQuery() {
  return queryOptions({
    queryKey: ['server-checks', 'health'],
    queryFn: ({ signal }) => call(serversHealth, {}, { signal }),
    refetchInterval: HEALTH_REFETCH_MS,
  });
}
