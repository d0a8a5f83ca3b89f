import { lineServer, revealLine, syncLine } from '@linekeeper/contract/lines/lines.ts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';

/** Refetches lines and balance, also after errors, since a lost reply may hide a sale. */
export function useRefreshLines(): () => void {
  const queryClient = useQueryClient();
  return () => {
    void queryClient.invalidateQueries({ queryKey: ['lines'] });
    void queryClient.invalidateQueries({ queryKey: ['me'] });
  };
}

/** Pushes a line to its card server at once. */
export function useSyncLine() {
  return useMutation({
    mutationFn: async (id: string) => {
      const reply = await call(syncLine, { params: { id } });
      return { ...reply, tried_at: Date.now() };
    },
    onSettled: useRefreshLines(),
  });
}

/** Not a query: every reveal is written to the audit log, and no cache may keep a password. */
export function useRevealLine() {
  return useMutation({
    mutationFn: (id: string) => call(revealLine, { params: { id } }),
    gcTime: 0,
  });
}

/** What the line's server says to receivers. */
export function lineServerQuery(lineId: string) {
  return queryOptions({
    // Stale with the servers.
    queryKey: ['servers', 'of-line', lineId],
    queryFn: ({ signal }) => call(lineServer, { params: { id: lineId } }, { signal }),
  });
}
