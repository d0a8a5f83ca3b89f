import type * as contract from '@linekeeper/contract/auth/auth.ts';
import { can } from '@linekeeper/contract/permissions.ts';
import { type Db, type Tx, transact } from '../../db/transaction.ts';
import {
  checkOwnPassword,
  lockAccount,
  proveMailbox,
  storePassword,
} from '../../domain/accounts/account-passwords.ts';
import {
  hasPermissionsOf,
  readAncestorIds,
  readPermissions,
} from '../../domain/accounts/account-policy.ts';
import { changeAccount, readAccount } from '../../domain/accounts/accounts.ts';
import { findToken, passwordLinks, takeToken } from '../../domain/accounts/one-time-tokens.ts';
import { endAccess, endOtherAccess, openSession } from '../../domain/accounts/sessions.ts';
import { isTwoFactorOn } from '../../domain/accounts/two-factor.ts';
import { auditAccount, auditOriginOf } from '../../domain/audit/audit.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { queueMail } from '../../domain/notices/outbox.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import { hashPassword, isCommonPassword } from '../../platform/keys/passwords.ts';
import {
  enforceLimit,
  releaseLimit,
  resetLimit,
  resetRequestLimit,
} from '../../platform/rate-limit.ts';
import { enter } from './me.ts';

const changed = { success: true as const, message: 'Password successfully changed' };

/**
 * Changes the actor's password, and ends all other access to the account. Throws PASSWORD_TOO_COMMON, and the errors of
 * `checkOwnPassword`.
 */
export const changePassword: Action<typeof contract.changePassword> = async (ctx, { body }) => {
  const { id } = ctx.actor;
  if (isCommonPassword(body.new_password)) failField('new_password', 'PASSWORD_TOO_COMMON');
  const lock = await checkOwnPassword(ctx, 'current_password', body.current_password);
  const password = await hashPassword(body.new_password);
  await transact(ctx.db, async (tx) => {
    await lock(tx);
    await storePassword(tx, id, password);
    await endOtherAccess(tx, id, ctx.session_id);
    await auditAccount(tx, auditOriginOf(ctx), 'account.change_password', id);
  });
  return changed;
};

/**
 * Queues a link to set a new password. Response and work are the same for every address: if no
 * account has it, the email is queued for an account that does not exist, and dropped before it is
 * sent. Throws NO_MAIL_SERVER and TOO_MANY_ATTEMPTS.
 */
export const requestPasswordReset: Action<typeof contract.requestPasswordReset> = async (
  ctx,
  { body },
) => {
  if (!ctx.mail.isConfigured) fail('NO_MAIL_SERVER');
  await enforceLimit(ctx.db, resetRequestLimit, ctx.network);
  await transact(ctx.db, async (tx) => {
    const account = await readAccount(tx, 'email', body.email, ['id']);
    const account_id = account?.id ?? newId();
    await queueMail(tx, ctx, { kind: 'reset_password', account_id, origin: auditOriginOf(ctx) });
  });
  return { success: true };
};

/**
 * The link if it can set the password now; null if it is unknown, used, replaced or expired, if the account is banned,
 * or if its creator could not create it any more: a link has no more power than its creator has when it is used.
 */
async function findLink(db: Db, token: string) {
  const invitation = await findToken(db, 'invitation', token);
  const link = invitation ?? (await findToken(db, 'reset_password', token));
  const account = link && (await readPermissions(db, link.account_id));
  if (!link || !account || account.banned) return null;
  const { made_by } = link.data;
  const found = { account_id: account.id, was_mailed: made_by === null, invites: !!invitation };
  if (made_by === null) return found;
  const maker = await readPermissions(db, made_by);
  if (!maker || maker.banned || !hasPermissionsOf(maker, account)) return null;
  const reaches =
    can(maker, ['manage_resellers']) ||
    (can(maker, ['add_credits']) && (await readAncestorIds(db, account.id)).has(maker.id));
  return reaches ? found : null;
}

/**
 * Uses up a link, after another check, because it may have been replaced or ended while the password was hashed. Throws
 * INVALID_RESET_LINK.
 */
async function useLink(tx: Tx, ctx: Ctx, token: string) {
  const link = await findLink(tx, token);
  if (!link || !(await takeToken(tx, passwordLinks, token))) return fail('INVALID_RESET_LINK');
  const { account_id: id, was_mailed } = link;
  // An emailed link proves that its user reads the account's mailbox, as a confirmation link does.
  if (!was_mailed) return link;
  await changeAccount(tx, id, { email_verified: true });
  if (await proveMailbox(tx, id)) {
    await auditAccount(tx, auditOriginOf(ctx), 'account.two_factor_off', id);
  }
  return link;
}

/**
 * Sets a password by a link. An invitation also signs in, because its account has had neither a password nor a second
 * step. A reset link does not: its account may need more than a password. Throws PASSWORD_TOO_COMMON,
 * INVALID_RESET_LINK and TOO_MANY_ATTEMPTS.
 */
export const resetPassword: Action<typeof contract.resetPassword> = async (ctx, { body }) => {
  const { token, new_password } = body;
  if (isCommonPassword(new_password)) failField('new_password', 'PASSWORD_TOO_COMMON');
  await enforceLimit(ctx.db, resetLimit, ctx.network);
  if (!(await findLink(ctx.db, token))) fail('INVALID_RESET_LINK');
  // The link is valid, so the attempt is removed from the count of failures.
  await releaseLimit(ctx.db, resetLimit, ctx.network);
  const password = await hashPassword(new_password);
  const { id, session } = await transact(ctx.db, async (tx) => {
    const { account_id: id, invites } = await useLink(tx, ctx, token);
    const account = await lockAccount(tx, id);
    if (!account || account.banned) fail('INVALID_RESET_LINK');
    await storePassword(tx, id, password);
    await endAccess(tx, id);
    await auditAccount(tx, auditOriginOf(ctx), 'account.reset_password', id);
    const signsIn = invites && !(await isTwoFactorOn(tx, id));
    return { id, session: signsIn ? await openSession(tx, ctx, id) : null };
  });
  return { ...changed, user: session === null ? null : await enter(ctx, id, session) };
};
