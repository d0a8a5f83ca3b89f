import { endOtherSessions, endSession, listSessions } from '@linekeeper/contract/auth/sessions.ts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../shared/api/client.ts';

export function sessionsQuery() {
  return queryOptions({
    queryKey: ['sessions'],
    queryFn: async ({ signal }) => (await call(listSessions, {}, { signal })).items,
  });
}

function useRefreshSessions() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: sessionsQuery().queryKey });
}

export function useEndSession() {
  return useMutation({
    mutationFn: (id: string) => call(endSession, { params: { id } }),
    onSettled: useRefreshSessions(),
  });
}

export function useEndOtherSessions() {
  return useMutation({
    mutationFn: () => call(endOtherSessions),
    onSettled: useRefreshSessions(),
  });
}
