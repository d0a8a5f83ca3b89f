import { accountFigures, listAccounts } from '@linekeeper/contract/accounts/accounts.ts';
import { previewBan } from '@linekeeper/contract/accounts/bans.ts';
import { getAccountTwoFactor } from '@linekeeper/contract/accounts/two-factor.ts';
import { callQuery } from '#platform/api/call-query.ts';

export const accountFiguresQuery = (id: string) =>
  callQuery('accounts', accountFigures, { params: { id } });

/** The query of the newest accounts directly below one. */
export const accountsBelowQuery = (id: string, limit: number) =>
  callQuery('accounts', listAccounts, { query: { owner_id: id, limit } });

/** The query, for administrators, of whether an account uses two-factor sign-in. */
export const accountTwoFactorQuery = (id: string) =>
  callQuery('accounts', getAccountTwoFactor, { params: { id }, staleTime: 0 });

/**
 * The query of the numbers of accounts and lines that a ban concerns. It is not cached, because they must be up to
 * date.
 */
export const banPreviewQuery = (id: string) =>
  callQuery('accounts', previewBan, { params: { id }, staleTime: 0 });
