import { getMessage } from '@linekeeper/contract/messages.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';

export function messageQuery(id: string) {
  return queryOptions({
    queryKey: ['messages', 'one', id],
    meta: { isKept: true },
    queryFn: async ({ signal }) => (await call(getMessage, { params: { id } }, { signal })).message,
  });
}
