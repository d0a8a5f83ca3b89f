import { editMe } from '@linekeeper/contract/auth.ts';
import type { Body } from '@linekeeper/contract/endpoint.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';
import { useCacheAccount } from '../../shared/session.ts';

export function useEditMe() {
  const cacheAccount = useCacheAccount();
  return useMutation({
    mutationFn: (body: Body<typeof editMe>) => call(editMe, { body }),
    onSuccess: cacheAccount,
  });
}
