import type * as contract from '@linekeeper/contract/auth/auth.ts';
import { can } from '@linekeeper/contract/permissions.ts';
import { type Db, type Tx, transact } from '../../db/transaction.ts';
import { hasPermissionsOf, readPermissions } from '../../domain/accounts/account-policy.ts';
import { auditSession } from '../../domain/accounts/audit-sessions.ts';
import { findToken, takePasswordLink } from '../../domain/accounts/one-time-tokens.ts';
import {
  confirmAddress,
  lockAccount,
  proveMailbox,
  storePassword,
} from '../../domain/accounts/own-account.ts';
import { endAccess, openSession } from '../../domain/accounts/sessions.ts';
import { isTwoFactorOn } from '../../domain/accounts/two-factor.ts';
import { auditOriginOf, writeAudit } from '../../domain/audit/audit.ts';
import type { Ctx } from '../../domain/context/context.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { hashPassword, isCommonPassword } from '../../platform/keys/passwords.ts';
import { enforceLimit, releaseLimit, resetLimit } from '../../platform/rate-limit.ts';
import { readMe } from './me.ts';

/**
 * The link if it may set the password now; null if it is unknown, used, replaced or expired, if the account
 * is banned, or if its maker could not make it any more: a link carries no more than the powers that its
 * maker has when it is used.
 */
async function findLink(db: Db, token: string) {
  const invitation = await findToken(db, 'invitation', token);
  const link = invitation ?? (await findToken(db, 'reset_password', token));
  const account = link && (await readPermissions(db, link.account_id));
  if (!link || !account || account.banned) return null;
  const { made_by } = link.data;
  if (made_by === null) return { account_id: account.id, was_mailed: true, invites: false };
  const maker = await readPermissions(db, made_by);
  if (!maker || maker.banned || !hasPermissionsOf(maker, account)) return null;
  const reaches =
    can(maker, ['manage_resellers']) ||
    (can(maker, ['add_credits']) && (await isBelow(db, maker.id, account.id)));
  return reaches
    ? { account_id: account.id, was_mailed: false, invites: invitation !== null }
    : null;
}

async function isBelow(db: Db, ancestor_id: string, account_id: string): Promise<boolean> {
  const found = await db
    .selectFrom('account_tree')
    .select('depth')
    .where('ancestor_id', '=', ancestor_id)
    .where('account_id', '=', account_id)
    .executeTakeFirst();
  return found !== undefined;
}

/** Looks the link up again, as it may have been replaced or ended while the password was hashed. */
async function useLink(tx: Tx, ctx: Ctx, token: string) {
  const link = await findLink(tx, token);
  if (!link || !(await takePasswordLink(tx, token))) return fail('INVALID_RESET_LINK');
  const { account_id: id, was_mailed } = link;
  // A mailed link proves that its user reads the account's mail, as a confirmation link does.
  if (!was_mailed) return link;
  await confirmAddress(tx, id);
  if (await proveMailbox(tx, id)) {
    await writeAudit(tx, auditOriginOf(ctx), [
      { action: 'account.two_factor_off', subject_type: 'account', subject_id: id },
    ]);
  }
  return link;
}

/**
 * Signs in the person who used an invitation, whose account has had neither a password nor a second step. A reset
 * link signs nobody in: its account may ask for more than a password.
 */
async function signInInvited(tx: Tx, ctx: Ctx, id: string) {
  if (await isTwoFactorOn(tx, id)) return null;
  const token = await openSession(tx, ctx, id);
  await auditSession(tx, ctx, 'account.sign_in', id);
  return { id, token };
}

export const resetPassword: Action<typeof contract.resetPassword> = async (ctx, { body }) => {
  const { token, new_password } = body;
  if (isCommonPassword(new_password)) failField('new_password', 'PASSWORD_TOO_COMMON');
  await enforceLimit(ctx.db, resetLimit, ctx.network);
  if (!(await findLink(ctx.db, token))) fail('INVALID_RESET_LINK');
  // The link is good, so this is no failure.
  await releaseLimit(ctx.db, resetLimit, ctx.network);
  const password = await hashPassword(new_password);
  const signedIn = await transact(ctx.db, async (tx) => {
    const { account_id: id, invites } = await useLink(tx, ctx, token);
    const account = await lockAccount(tx, id);
    if (!account || account.banned) fail('INVALID_RESET_LINK');
    await storePassword(tx, id, password);
    await endAccess(tx, id);
    await writeAudit(tx, auditOriginOf(ctx), [
      { action: 'account.reset_password', subject_type: 'account', subject_id: id },
    ]);
    return invites ? signInInvited(tx, ctx, id) : null;
  });
  if (signedIn) ctx.setCookie(ctx.auth.sessionCookie(signedIn.token));
  const user = signedIn && (await readMe(ctx.db, signedIn.id));
  return { success: true, message: 'Password successfully changed', user };
};
