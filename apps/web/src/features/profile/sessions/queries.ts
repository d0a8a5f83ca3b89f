import { listSessions } from '@linekeeper/contract/auth/sessions.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../shared/api/client.ts';

export function sessionsQuery() {
  return queryOptions({
    queryKey: ['sessions'],
    queryFn: async ({ signal }) => (await call(listSessions, {}, { signal })).items,
  });
}
