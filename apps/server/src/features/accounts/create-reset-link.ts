import type * as contract from '@linekeeper/contract/accounts/accounts.ts';
import { hasPermissionsOf, lockOtherAccount } from '../../domain/accounts/account-policy.ts';
import { issueToken, newToken } from '../../domain/accounts/one-time-tokens.ts';
import { readPasswordHash } from '../../domain/accounts/own-account.ts';
import { accountActedUpon } from '../../domain/audit/audit-subjects.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';

interface MadeLink {
  token: string;
  expires_at: string;
  isInvitation: boolean;
}

/**
 * A link lets its holder act as the account, so its maker must have all permissions of the account. Where there is
 * no password yet, it is an invitation and lasts longer: nobody's access is replaced by it.
 */
export const createResetLink: Mutation<typeof contract.createResetLink, MadeLink> = {
  audit: {
    action: 'account.reset_link',
    subject: accountActedUpon,
    of: ({ params }) => params.id,
    data: (_, { expires_at }) => ({ expires_at }),
  },
  commit: async (tx, { actor }, { params: { id } }) => {
    const account = await lockOtherAccount(tx, actor, id);
    if (!hasPermissionsOf(actor, account)) fail('FORBIDDEN');
    if (account.banned) fail('ACCOUNT_BANNED');
    const token = newToken();
    const isInvitation = (await readPasswordHash(tx, id)) === null;
    const purpose = isInvitation ? 'invitation' : 'reset_password';
    const expires_at = await issueToken(tx, purpose, id, { made_by: actor.id }, token);
    return { token, expires_at: expires_at.toISOString(), isInvitation };
  },
  reply: async ({ auth }, { token, expires_at, isInvitation }) => ({
    url: isInvitation ? auth.invitationLink(token) : auth.resetLink(token),
    expires_at,
  }),
};
