import {
  accountFigures,
  addCredits,
  createAccount,
  createResetLink,
  editAccount,
  listAccounts,
  setCredits,
  takeBackCredits,
} from '@linekeeper/contract/accounts/accounts.ts';
import { banAccount, previewBan, unbanAccount } from '@linekeeper/contract/accounts/bans.ts';
import {
  disableAccountTwoFactor,
  getAccountTwoFactor,
} from '@linekeeper/contract/accounts/two-factor-of-others.ts';
import type { Body } from '@linekeeper/contract/endpoint.ts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';
import type { WithIdempotencyKey } from '../../shared/forms/use-send.ts';

/** Every key about accounts begins with 'accounts': that is what a live change of one makes stale. */
function useRefreshAccounts() {
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: ['accounts'] });
}

export function accountFiguresQuery(id: string) {
  return queryOptions({
    queryKey: ['accounts', 'figures', id],
    queryFn: ({ signal }) => call(accountFigures, { params: { id } }, { signal }),
  });
}

/** The newest accounts directly below one. */
export function accountsBelowQuery(id: string, limit: number) {
  const query = { owner_id: id, limit };
  return queryOptions({
    queryKey: ['accounts', 'below', id, limit],
    queryFn: ({ signal }) => call(listAccounts, { query }, { signal }),
  });
}

/** `gcTime: 0` because the request holds a password, which must not stay in a cache. */
export function useCreateAccount() {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof createAccount>>) =>
      call(createAccount, { body }, { idempotencyKey }),
    onSettled: useRefreshAccounts(),
    gcTime: 0,
  });
}

export function useAddCredits(id: string) {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof addCredits>>) =>
      call(addCredits, { params: { id }, body }, { idempotencyKey }),
    onSettled: useRefreshAccounts(),
  });
}

export function useTakeBackCredits(id: string) {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof takeBackCredits>>) =>
      call(takeBackCredits, { params: { id }, body }, { idempotencyKey }),
    onSettled: useRefreshAccounts(),
  });
}

export function useSetCredits(id: string) {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof setCredits>>) =>
      call(setCredits, { params: { id }, body }, { idempotencyKey }),
    onSettled: useRefreshAccounts(),
  });
}

/** Tells administrators if an account uses two-factor. */
export function accountTwoFactorQuery(id: string) {
  return queryOptions({
    queryKey: ['accounts', 'two-factor', id],
    queryFn: ({ signal }) => call(getAccountTwoFactor, { params: { id } }, { signal }),
    staleTime: 0,
  });
}

export function useDisableAccountTwoFactor(id: string) {
  return useMutation({
    mutationFn: ({ idempotencyKey }: WithIdempotencyKey<object>) =>
      call(disableAccountTwoFactor, { params: { id } }, { idempotencyKey }),
    onSettled: useRefreshAccounts(),
  });
}

export function banPreviewQuery(id: string) {
  return queryOptions({
    queryKey: ['accounts', 'ban', id],
    queryFn: ({ signal }) => call(previewBan, { params: { id } }, { signal }),
    // The figures before a ban must be up to date.
    staleTime: 0,
  });
}

export function useBan(id: string) {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof banAccount>>) =>
      call(banAccount, { params: { id }, body }, { idempotencyKey }),
    onSettled: useRefreshAccounts(),
  });
}

export function useUnban(id: string) {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof unbanAccount>>) =>
      call(unbanAccount, { params: { id }, body }, { idempotencyKey }),
    onSettled: useRefreshAccounts(),
  });
}

/** `gcTime: 0` because the reply is a secret. */
export function useCreateResetLink(id: string) {
  return useMutation({
    mutationFn: () => call(createResetLink, { params: { id } }),
    gcTime: 0,
  });
}

export function useEditAccount(id: string) {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof editAccount>>) =>
      call(editAccount, { params: { id }, body }, { idempotencyKey }),
    onSettled: useRefreshAccounts(),
  });
}
