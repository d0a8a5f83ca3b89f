import { editMe } from '@linekeeper/contract/auth/auth.ts';
import {
  cancelEmailChange,
  changeEmail,
  getEmailChange,
} from '@linekeeper/contract/auth/email-change.ts';
import {
  disableTwoFactor,
  getTwoFactor,
  newRecoveryCodes,
  verifyTwoFactor,
} from '@linekeeper/contract/auth/two-factor.ts';
import type { Body } from '@linekeeper/contract/endpoint.ts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';
import { meQuery, useCacheAccount } from '../../shared/data/session.ts';

export function useEditMe() {
  const cacheAccount = useCacheAccount();
  return useMutation({
    mutationFn: (body: Body<typeof editMe>) => call(editMe, { body }),
    onSuccess: cacheAccount,
  });
}

/** The change of the address that waits to be confirmed; null if there is none. */
export function emailChangeQuery() {
  return queryOptions({
    queryKey: ['email-change'],
    queryFn: ({ signal }) => call(getEmailChange, {}, { signal }),
  });
}

function useRefreshEmail() {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries(emailChangeQuery()),
      queryClient.invalidateQueries(meQuery()),
    ]);
}

export function useChangeEmail() {
  const refresh = useRefreshEmail();
  return useMutation({
    mutationFn: (body: Body<typeof changeEmail>) => call(changeEmail, { body }),
    onSuccess: refresh,
  });
}

export function useCancelEmailChange() {
  const refresh = useRefreshEmail();
  return useMutation({ mutationFn: () => call(cancelEmailChange), onSuccess: refresh });
}

export function twoFactorQuery() {
  return queryOptions({
    queryKey: ['two-factor'],
    queryFn: ({ signal }) => call(getTwoFactor, {}, { signal }),
  });
}

function useRefreshTwoFactor() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(twoFactorQuery());
}

export function useVerifyTwoFactor() {
  const refresh = useRefreshTwoFactor();
  return useMutation({
    mutationFn: (body: Body<typeof verifyTwoFactor>) => call(verifyTwoFactor, { body }),
    onSuccess: refresh,
  });
}

export function useDisableTwoFactor() {
  const refresh = useRefreshTwoFactor();
  return useMutation({
    mutationFn: (body: Body<typeof disableTwoFactor>) => call(disableTwoFactor, { body }),
    onSuccess: refresh,
  });
}

export function useNewRecoveryCodes() {
  const refresh = useRefreshTwoFactor();
  return useMutation({
    mutationFn: (body: Body<typeof newRecoveryCodes>) => call(newRecoveryCodes, { body }),
    onSuccess: refresh,
  });
}
