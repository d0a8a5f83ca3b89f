import { serversHealth } from '@linekeeper/contract/servers/health.ts';
import { callQuery } from '#platform/api/call-query.ts';

/**
 * Milliseconds between two fetches of a server's health, which changes no more often: the panel checks each server once
 * a minute.
 */
export const HEALTH_REFETCH_MS = 60_000;

/**
 * The query of all servers' health. It is polled, because a check sends an event only if it changes a server's status.
 */
export const serversHealthQuery = () =>
  callQuery('server-checks', serversHealth, { refetchInterval: HEALTH_REFETCH_MS });
