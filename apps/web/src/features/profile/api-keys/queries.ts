import { createApiKey, deleteApiKey, listApiKeys } from '@linekeeper/contract/auth/api-keys.ts';
import type { Body } from '@linekeeper/contract/endpoint.ts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../shared/api/client.ts';
import type { WithIdempotencyKey } from '../../../shared/forms/use-send.ts';

export function apiKeysQuery() {
  return queryOptions({
    queryKey: ['api-keys'],
    queryFn: async ({ signal }) => (await call(listApiKeys, {}, { signal })).items,
  });
}

function useRefreshKeys() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: apiKeysQuery().queryKey });
}

export function useCreateApiKey() {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof createApiKey>>) =>
      call(createApiKey, { body }, { idempotencyKey }),
    onSuccess: useRefreshKeys(),
    // The reply holds the key, which is shown once and kept nowhere.
    gcTime: 0,
  });
}

export function useRevokeApiKey() {
  return useMutation({
    mutationFn: (id: string) => call(deleteApiKey, { params: { id } }),
    onSettled: useRefreshKeys(),
  });
}
