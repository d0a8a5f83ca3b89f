import type * as contract from '@linekeeper/contract/auth/auth.ts';
import { USER_GROUP } from '@linekeeper/contract/permissions.ts';
import { parseCookie } from 'cookie';
import { insertAccount } from '../../core/accounts/accounts.ts';
import { auditWrongPassword } from '../../core/accounts/audit-sessions.ts';
import { readEmailChangeToken } from '../../core/accounts/email-changes.ts';
import { hashPassword, isCommonPassword, verifyPassword } from '../../core/accounts/passwords.ts';
import { enforceLimit, releaseLimit, signUpLimit } from '../../core/accounts/rate-limit.ts';
import {
  browserProof,
  CONFIRMATION_SECONDS,
  confirmSignUp,
  isProofOf,
  type MailedSignUp,
  readSignUp,
  replaceUnconfirmed,
} from '../../core/accounts/sign-ups.ts';
import type { Ctx } from '../../core/context.ts';
import { mailQueue } from '../../core/mail/mail-queue.ts';
import { hasFreeMailSlot } from '../../core/mail/mail-slots.ts';
import { fail, failField, isRetryable } from '../../core/refusal.ts';
import { readSettings } from '../../core/settings.ts';
import type { Action } from '../../core/use-case.ts';
import { transact } from '../../db/transaction.ts';
import { confirmEmailChange } from './change-email.ts';
import { queueConfirmation } from './send-confirmation.ts';
import { enforceSignInLimits } from './sign-in.ts';

export const signUp: Action<typeof contract.signUp> = async (ctx, { body }) => {
  const { sign_up_open } = await readSettings(ctx.db);
  if (!sign_up_open) fail('SIGN_UP_CLOSED');
  if (isCommonPassword(body.password)) failField('password', 'PASSWORD_TOO_COMMON');
  await enforceLimit(ctx.db, signUpLimit, ctx.network);
  const password_hash = await hashPassword(body.password).catch(async (error: unknown) => {
    await releaseLimit(ctx.db, signUpLimit, ctx.network);
    throw error;
  });
  const id = await transact(ctx.db, async (tx) => {
    const inserted = await insertAccount(tx, {
      email: body.email,
      password_hash,
      email_verified: !ctx.mail.isConfigured,
      is_mailbox_proven: false,
      group_id: USER_GROUP,
      owner_id: null,
      full_name: body.name,
      username: body.username,
    });
    if (!inserted && ctx.mail.isConfigured) {
      // A sign-up that is sent no link must not end the link that was sent last.
      if (!(await hasFreeMailSlot(tx, 'confirm_email', body.email))) return inserted;
      const { email, name: full_name, username } = body;
      await replaceUnconfirmed(tx, { email, password_hash, full_name, username });
    }
    // An unconfirmed account gets another link, because the first may have been lost.
    await queueConfirmation(tx, ctx, body.email);
    return inserted;
  });
  if (!ctx.mail.isConfigured) {
    if (!id) fail('COULD_NOT_CREATE_ACCOUNT');
    return { success: true, confirmation_needed: false };
  }
  const { signUpCookie } = ctx.auth;
  const proof = browserProof(ctx.secrets, body.email, password_hash);
  ctx.setCookie(signUpCookie.write(proof, CONFIRMATION_SECONDS));
  // With mail, an existing account gives the same reply, so that sign-up does not reveal it.
  ctx.jobQueue.wake(mailQueue);
  return { success: true, confirmation_needed: true };
};

export const confirmEmail: Action<typeof contract.confirmEmail> = async (ctx, { body }) => {
  const changeId = readEmailChangeToken(ctx.secrets, body.token);
  if (changeId !== null) {
    await confirmEmailChange(ctx, changeId);
    return { success: true, email_changed: true };
  }
  const signedUp = await readSignUp(ctx.db, ctx.secrets, body.token);
  if (!signedUp) return fail('INVALID_CONFIRMATION');
  if (!signedUp.is_confirmed) {
    await checkItIsTheirs(ctx, signedUp, body.password);
    const isConfirmed = await transact(ctx.db, (tx) => confirmSignUp(tx, signedUp));
    if (!isConfirmed) fail('INVALID_CONFIRMATION');
  }
  return { success: true, email_changed: false };
};

/**
 * The reader of the mail may not be the person who signed up. The browser that signed up has a proof; anybody else gives
 * the password of that sign-up, or sets a new one by a link.
 */
async function checkItIsTheirs(
  ctx: Ctx,
  signedUp: MailedSignUp,
  password: string | undefined,
): Promise<void> {
  const proof = parseCookie(ctx.headers.get('cookie') ?? '')[ctx.auth.signUpCookie.name] ?? null;
  if (isProofOf(ctx.secrets, signedUp, proof)) return;
  if (password === undefined) return fail('SIGN_UP_PASSWORD_NEEDED');
  const giveBack = await enforceSignInLimits(ctx, signedUp.email);
  const isRight = await verifyPassword(signedUp.password_hash, password).catch(
    async (error: unknown) => {
      // The password was not checked, so this is no failure.
      if (isRetryable(error)) await giveBack();
      throw error;
    },
  );
  if (!isRight) {
    await auditWrongPassword(ctx, signedUp.email);
    failField('password', 'WRONG_SIGN_UP_PASSWORD');
  }
  await giveBack();
}
