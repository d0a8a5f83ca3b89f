import { getLine, lineServer, revealLine } from '@linekeeper/contract/lines/lines.ts';
import { useMutation } from '@tanstack/react-query';
import { callQuery } from '../api/call-query.ts';
import { call } from '../api/client.ts';

/** Drawn for a password that nobody asked for: replies have none. */
export const PASSWORD_DOTS = '••••••••';

/** Not a query: every reveal is written to the audit log, and no cache may keep a password. */
export function useRevealLine() {
  return useMutation({
    mutationFn: (id: string) => call(revealLine, { params: { id } }),
    gcTime: 0,
  });
}

/** The server of a line as its customer needs it; stale with the servers. */
export const lineServerQuery = (lineId: string) =>
  callQuery('servers', lineServer, { params: { id: lineId } });

export const lineQuery = (id: string) => callQuery('lines', getLine, { params: { id } });
