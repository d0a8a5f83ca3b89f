import { listApiKeys } from '@linekeeper/contract/auth/api-keys.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../shared/api/client.ts';

export function apiKeysQuery() {
  return queryOptions({
    queryKey: ['api-keys'],
    queryFn: async ({ signal }) => (await call(listApiKeys, {}, { signal })).items,
  });
}
