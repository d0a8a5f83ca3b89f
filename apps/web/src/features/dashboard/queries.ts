import { listTopUps } from '@linekeeper/contract/credits/top-ups.ts';
import { getDashboard } from '@linekeeper/contract/dashboard.ts';
import type { CallInput } from '@linekeeper/contract/endpoint.ts';
import { listLines } from '@linekeeper/contract/lines/lines.ts';
import { listServers, serverFindings } from '@linekeeper/contract/servers/servers.ts';
import { listPushes } from '@linekeeper/contract/servers/sync.ts';
import { listTickets } from '@linekeeper/contract/tickets/tickets.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';

/** Changes are told by live events, but the end of a day is not. */
const REFETCH_EVERY_MS = 10 * 60_000;

export function dashboardQuery() {
  return queryOptions({
    queryKey: ['dashboard'],
    queryFn: ({ signal }) => call(getDashboard, {}, { signal }),
    refetchInterval: REFETCH_EVERY_MS,
  });
}

/** Only what has most need of attention is shown; a link leads to the others. */
const MOST_SHOWN = 5;

/** The key begins as the list's own, so that whatever makes the list stale is noticed here, too. */
export function someLinesQuery(filter: NonNullable<CallInput<typeof listLines>['query']>) {
  const query = { ...filter, limit: MOST_SHOWN };
  return queryOptions({
    queryKey: ['lines', 'dashboard', query],
    queryFn: ({ signal }) => call(listLines, { query }, { signal }),
  });
}

export function unreadTicketsQuery() {
  const query = { unread: 'true' as const, limit: MOST_SHOWN };
  return queryOptions({
    queryKey: ['tickets', 'dashboard'],
    queryFn: ({ signal }) => call(listTickets, { query }, { signal }),
  });
}

export function serversInErrorQuery() {
  const query = { status: 'error', limit: MOST_SHOWN };
  return queryOptions({
    queryKey: ['servers', 'dashboard'],
    queryFn: ({ signal }) => call(listServers, { query }, { signal }),
  });
}

/** Servers that have not taken what was delivered, or whose day is another. */
export function serversWithFindingsQuery() {
  const query = { finding: serverFindings.join(','), limit: MOST_SHOWN };
  return queryOptions({
    queryKey: ['servers', 'dashboard', 'findings'],
    queryFn: ({ signal }) => call(listServers, { query }, { signal }),
  });
}

/** What waits for a card server tells no live changes. */
const PUSHES_EVERY_MS = 30_000;

/** Deletions that failed: the line is gone, so no line says that its server still has it. */
export function failedDeletionsQuery() {
  const query = { state: 'failed', operation: 'delete', limit: MOST_SHOWN };
  return queryOptions({
    queryKey: ['sync', 'dashboard'],
    queryFn: ({ signal }) => call(listPushes, { query }, { signal }),
    refetchInterval: PUSHES_EVERY_MS,
  });
}

/** Top-ups that wait for an administrator; those paid by card wait for nobody. */
export function waitingTopUpsQuery() {
  const query = {
    status: 'pending',
    method: 'transfer',
    sort: 'created_at',
    limit: MOST_SHOWN,
  };
  return queryOptions({
    queryKey: ['top-ups', 'dashboard'],
    queryFn: ({ signal }) => call(listTopUps, { query }, { signal }),
  });
}
