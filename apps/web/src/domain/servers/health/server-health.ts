import { serversHealth } from '@linekeeper/contract/servers/health.ts';
import { callQuery } from '#platform/api/call-query.ts';

/** As often as each server is checked. */
export const HEALTH_REFETCH_MS = 60_000;

/** Polled, because a check is a live change only where it changes a server's status. */
export const serversHealthQuery = () =>
  callQuery('server-checks', serversHealth, { refetchInterval: HEALTH_REFETCH_MS });
