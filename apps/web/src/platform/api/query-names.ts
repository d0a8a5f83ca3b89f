import type { LiveName } from '@linekeeper/contract/live.ts';

/**
 * The first element of a query's key, by the data that the query reads. A change makes all queries with its name stale.
 */
export type QueryName =
  | LiveName
  | 'api-keys'
  | 'audit'
  | 'bulk-preview'
  | 'confirm-email'
  | 'credits'
  | 'email-change'
  | 'last-sale'
  | 'line-name'
  | 'orphan-scans'
  | 'preferences'
  | 'push'
  | 'seller-texts'
  | 'server-checks'
  | 'server-command'
  | 'server-comparison'
  | 'sessions'
  | 'settings'
  | 'sync'
  | 'system'
  | 'two-factor'
  | 'view-count'
  | 'webhooks';

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: readonly [QueryName, ...unknown[]];
  }
}
