import {
  type Comparison,
  compareServer,
  mendServer,
} from '@linekeeper/contract/servers/compare.ts';
import { type HealthRange, serverHealth } from '@linekeeper/contract/servers/health.ts';
import { getServer, type Server } from '@linekeeper/contract/servers/servers.ts';
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { HEALTH_REFETCH_MS } from '#domain/servers/health/server-health.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { callQuery } from '#platform/api/call-query.ts';
import { call } from '#platform/api/client.ts';
import { results } from '#platform/state/results.ts';

/** Live changes and commands to servers refetch all queries whose key begins with 'servers'. */
export const serverQuery = (id: string) => callQuery('servers', getServer, { params: { id } });

/**
 * The query of a server's health. It is polled, because a check sends an event only if it changes the server's status.
 */
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

const COMPARISON_STALE_MS = 60_000;

/** The query of a server's differences. It is cached only briefly, because the card server may have changed since. */
export const comparisonQuery = (id: string) =>
  callQuery('server-comparison', compareServer, {
    params: { id },
    staleTime: COMPARISON_STALE_MS,
    gcTime: COMPARISON_STALE_MS,
    retry: false,
  });

/** The number of accounts that differ between the panel and a server. */
export function differencesOf(comparison: Comparison): number {
  const { missing, different, suspended, unknown, by_hand, other_panel } = comparison;
  const all = [missing, different, suspended, unknown, by_hand, other_panel];
  return all.reduce((sum, { count }) => sum + count, 0);
}

export function useRefreshServers(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['servers'] });
}

/** The command that delivers accounts to a server again, and removes its unknown ones if that is asked. */
export function useMend(
  { id }: Server,
  options: { waits?: boolean; done?: (() => void) | undefined } = {},
) {
  const { t } = useTranslation('servers');
  return useCommand(mendServer, {
    params: { id },
    refreshes: ['servers', 'server-comparison'],
    waits: options.waits,
    done: ({ queued, removed }) => {
      options.done?.();
      results.success(t('compare.queued', { count: queued + removed }));
    },
  });
}
