import { changePassword, editMe } from '@linekeeper/contract/auth.ts';
import type { Body } from '@linekeeper/contract/endpoint.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';
import { useKeepAccount } from '../../shared/session.ts';

export function useEditMe() {
  const keepAccount = useKeepAccount();
  return useMutation({
    mutationFn: (body: Body<typeof editMe>) => call(editMe, { body }),
    onSuccess: keepAccount,
  });
}

export function useChangePassword() {
  return useMutation({
    mutationFn: (body: Body<typeof changePassword>) => call(changePassword, { body }),
  });
}
