import { serversHealth } from '@linekeeper/contract/servers/health.ts';
import { callQuery } from '#platform/api/call-query.ts';

/**
 * Milliseconds between two fetches of a server's health, which changes no more often: the panel checks each server once
 * a minute.
 */
export const HEALTH_REFETCH_MS = 60_000;

/** Polled, because a check is a live change only where it changes a server's status. */
export const serversHealthQuery = () =>
  callQuery('server-checks', serversHealth, { refetchInterval: HEALTH_REFETCH_MS });
