import { accountFigures, listAccounts } from '@linekeeper/contract/accounts/accounts.ts';
import { previewBan } from '@linekeeper/contract/accounts/bans.ts';
import { getAccountTwoFactor } from '@linekeeper/contract/accounts/two-factor.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';

export function accountFiguresQuery(id: string) {
  return queryOptions({
    queryKey: ['accounts', 'figures', id],
    meta: { isKept: true },
    queryFn: ({ signal }) => call(accountFigures, { params: { id } }, { signal }),
  });
}

/** The newest accounts directly below one. */
export function accountsBelowQuery(id: string, limit: number) {
  const query = { owner_id: id, limit };
  return queryOptions({
    queryKey: ['accounts', 'below', id, limit],
    meta: { isKept: true },
    queryFn: ({ signal }) => call(listAccounts, { query }, { signal }),
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

export function banPreviewQuery(id: string) {
  return queryOptions({
    queryKey: ['accounts', 'ban', id],
    queryFn: ({ signal }) => call(previewBan, { params: { id } }, { signal }),
    // The figures before a ban must be up to date.
    staleTime: 0,
  });
}
