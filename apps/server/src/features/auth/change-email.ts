import type * as contract from '@linekeeper/contract/auth/email-change.ts';
import { violates } from '../../db/errors.ts';
import { type Tx, transact } from '../../db/transaction.ts';
import { checkOwnPassword, lockAccount } from '../../domain/accounts/account-passwords.ts';
import { changeAccount } from '../../domain/accounts/accounts.ts';
import {
  endTokens,
  findEmailChange,
  findToken,
  issueToken,
} from '../../domain/accounts/one-time-tokens.ts';
import { endOtherAccess } from '../../domain/accounts/sessions.ts';
import { auditAccount, auditOriginOf } from '../../domain/audit/audit.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { queueMail } from '../../domain/notices/outbox.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import { changeEmailLimit, enforceLimit } from '../../platform/rate-limit.ts';

const isEmailTaken = (error: unknown) => violates(error, 'auth_users_email_key');

/**
 * Changes the email address. With a mail server, the response is the same whether or not another account has the new
 * address, which then gets no link. Throws EMAIL_IS_YOURS, TOO_MANY_ATTEMPTS, and the errors of `checkOwnPassword`;
 * without a mail server also COULD_NOT_CHANGE_EMAIL.
 */
export const changeEmail: Action<typeof contract.changeEmail> = async (ctx, { body }) => {
  const { current_password, new_email } = body;
  const lock = await checkOwnPassword(ctx, 'current_password', current_password);
  if (new_email === ctx.actor.email) failField('new_email', 'EMAIL_IS_YOURS');
  await enforceLimit(ctx.db, changeEmailLimit, ctx.actor.id);
  const needsConfirmation = ctx.mail.isConfigured;
  await transact(ctx.db, async (tx) => {
    const { email: old_email } = await lock(tx);
    if (needsConfirmation) await requestConfirmation(tx, ctx, new_email);
    else await change(tx, ctx, ctx.actor.id, { old_email, email: new_email }, ctx.session_id);
  }).catch((error: unknown) => {
    if (isEmailTaken(error)) failField('new_email', 'COULD_NOT_CHANGE_EMAIL');
    throw error;
  });
  return { success: true, confirmation_needed: needsConfirmation };
};

async function requestConfirmation(tx: Tx, ctx: Ctx, new_email: string): Promise<void> {
  const account_id = ctx.actor.id;
  const id = newId();
  await issueToken(
    tx,
    'change_email',
    account_id,
    { id, new_email, session_id: ctx.session_id },
    id,
  );
  const data = { new_email };
  await auditAccount(tx, auditOriginOf(ctx), 'account.ask_email_change', account_id, { data });
  await queueMail(tx, ctx, { kind: 'confirm_new_email', account_id });
  await queueMail(tx, ctx, { kind: 'email_change_asked', account_id });
}

/**
 * Changes the address and informs the old one. The email has that address, because the account no
 * longer has it when the email is sent.
 */
async function change(
  tx: Tx,
  ctx: Ctx,
  account_id: string,
  { old_email, email }: { old_email: string; email: string },
  keptSession: string | null,
): Promise<void> {
  await changeAccount(tx, account_id, { email, email_verified: true });
  await endOtherAccess(tx, account_id, keptSession);
  const origin = { ...auditOriginOf(ctx), actor_id: account_id };
  const states = { before: { email: old_email }, after: { email } };
  await auditAccount(tx, origin, 'account.change_email', account_id, states);
  await queueMail(tx, ctx, { kind: 'email_changed', account_id, old_email });
}

/**
 * Changes an account's email address to the one whose confirmation link was opened. The session that requested the
 * change is kept, and all others end. Throws INVALID_CONFIRMATION.
 */
export async function confirmEmailChange(ctx: Ctx, changeId: string): Promise<void> {
  await transact(ctx.db, async (tx) => {
    const found = await findToken(tx, 'change_email', changeId);
    const account = found && (await lockAccount(tx, found.account_id));
    // The token is read again, because it may have been used, replaced or withdrawn before the account was locked.
    const waiting = account && (await findToken(tx, 'change_email', changeId));
    if (!account || !waiting || account.banned) return fail('INVALID_CONFIRMATION');
    const { new_email, session_id } = waiting.data;
    const emails = { old_email: account.email, email: new_email };
    await change(tx, ctx, waiting.account_id, emails, session_id);
  }).catch((error: unknown) => {
    if (isEmailTaken(error)) fail('INVALID_CONFIRMATION');
    throw error;
  });
}

export const getEmailChange: Action<typeof contract.getEmailChange> = async ({ db, actor }) => {
  const waiting = await findEmailChange(db, actor.id);
  if (!waiting) return null;
  return { new_email: waiting.data.new_email, expires_at: waiting.expires_at.toISOString() };
};

export const cancelEmailChange: Action<typeof contract.cancelEmailChange> = async (ctx) => {
  await transact(ctx.db, (tx) => endTokens(tx, ctx.actor.id, ['change_email']));
  return { success: true };
};
