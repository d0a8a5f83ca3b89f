import type { ServerStatus } from '@linekeeper/contract/servers/servers.ts';

export const statusTones = {
  active: 'success',
  inactive: 'warning',
  error: 'error',
} as const satisfies Record<ServerStatus, string>;
