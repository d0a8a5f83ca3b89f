import type * as contract from '@linekeeper/contract/accounts/accounts.ts';
import type * as twoFactor from '@linekeeper/contract/accounts/two-factor.ts';
import { readPasswordHash } from '../../domain/accounts/account-passwords.ts';
import { hasPermissionsOf, lockOtherAccount } from '../../domain/accounts/account-policy.ts';
import { findAccount } from '../../domain/accounts/accounts.ts';
import { issueToken, newToken } from '../../domain/accounts/one-time-tokens.ts';
import { endOtherAccess } from '../../domain/accounts/sessions.ts';
import { isTwoFactorOn, turnTwoFactorOff } from '../../domain/accounts/two-factor.ts';
import { accountActedUpon } from '../../domain/audit/audit-subjects.ts';
import { accountScope } from '../../domain/context/access.ts';
import { notify } from '../../domain/notices/notify.ts';
import { queueMails } from '../../domain/notices/outbox.ts';
import type { Action, Mutation } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';

export const getAccountTwoFactor: Action<typeof twoFactor.getAccountTwoFactor> = async (
  { db, actor },
  { params },
) => {
  const { id } = await findAccount(db, accountScope(actor), params.id);
  return { is_on: await isTwoFactorOn(db, id) };
};

/**
 * Turns off an account's second factor. Its owner gets an email and a notice, so that a forged request is noticed.
 * Throws TWO_FACTOR_IS_OFF, and the errors of `lockOtherAccount`.
 */
export const disableAccountTwoFactor: Mutation<
  typeof twoFactor.disableAccountTwoFactor,
  Record<string, never>
> = {
  audit: { action: 'account.two_factor_off', subject: accountActedUpon },
  commit: async (tx, ctx, { params: { id: account_id } }) => {
    await lockOtherAccount(tx, ctx.actor, account_id);
    if (!(await isTwoFactorOn(tx, account_id))) fail('TWO_FACTOR_IS_OFF');
    await turnTwoFactorOff(tx, account_id);
    await endOtherAccess(tx, account_id, null);
    const event = 'two_factor_removed';
    await notify(tx, [{ event, facts: {}, account_id, link: '/profile/edit' }]);
    await queueMails(tx, ctx, [{ kind: event, account_id, language: 'en' }]);
    return {};
  },
  reply: async () => ({ success: true }),
};

interface MadeLink {
  token: string;
  expires_at: string;
  isInvitation: boolean;
}

/**
 * Creates a link that lets its holder act as the account, so its creator must have all permissions of the account. For
 * an account without a password it is an invitation and lasts longer, because it replaces no other access. Throws
 * FORBIDDEN, ACCOUNT_BANNED, and the errors of `lockOtherAccount`.
 */
export const createResetLink: Mutation<typeof contract.createResetLink, MadeLink> = {
  audit: {
    action: 'account.reset_link',
    subject: accountActedUpon,
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
