import type * as contract from '@linekeeper/contract/auth/email-change.ts';
import {
  askEmailChange,
  endEmailChange,
  findEmailChange,
  findEmailChangeOf,
  isEmailTaken,
  storeEmail,
} from '../../core/accounts/email-changes.ts';
import { checkOwnPassword, lockAccount } from '../../core/accounts/own-account.ts';
import { changeEmailLimit, enforceLimit } from '../../core/accounts/rate-limit.ts';
import { endOtherAccess } from '../../core/accounts/sessions.ts';
import { auditOriginOf, writeAudit } from '../../core/audit/audit.ts';
import type { Ctx } from '../../core/context.ts';
import { mailQueue, queueMail } from '../../core/mail/mail-queue.ts';
import { fail, failField } from '../../core/refusal.ts';
import type { Action } from '../../core/use-case.ts';
import { type Tx, transact } from '../../db/transaction.ts';
import { languageOf } from './send-confirmation.ts';

/**
 * With mail, the reply is the same whether or not another account has the new address: it is then
 * sent no link.
 */
export const changeEmail: Action<typeof contract.changeEmail> = async (ctx, { body }) => {
  const { current_password, new_email } = body;
  const { giveBack, lock } = await checkOwnPassword(ctx, 'current_password', current_password);
  await giveBack();
  if (new_email === ctx.actor.email) failField('new_email', 'EMAIL_IS_YOURS');
  await enforceLimit(ctx.db, changeEmailLimit, ctx.actor.id);
  const needsConfirmation = ctx.mail.isConfigured;
  await transact(ctx.db, async (tx) => {
    const { email } = await lock(tx);
    if (needsConfirmation) await ask(tx, ctx, new_email);
    else await change(tx, ctx, { id: ctx.actor.id, email }, new_email, ctx.session_id);
  }).catch((error: unknown) => {
    if (isEmailTaken(error)) failField('new_email', 'COULD_NOT_CHANGE_EMAIL');
    throw error;
  });
  ctx.jobQueue.wake(mailQueue);
  return { success: true, confirmation_needed: needsConfirmation };
};

async function ask(tx: Tx, ctx: Ctx, new_email: string): Promise<void> {
  const { id } = ctx.actor;
  await askEmailChange(tx, { account_id: id, new_email, session_id: ctx.session_id });
  await writeAudit(tx, auditOriginOf(ctx), [
    {
      action: 'account.ask_email_change',
      subject_type: 'account',
      subject_id: id,
      data: { new_email },
    },
  ]);
  const language = languageOf(ctx);
  await queueMail(tx, ctx, { kind: 'confirm_new_email', account_id: id, language });
  await queueMail(tx, ctx, { kind: 'email_change_asked', account_id: id, language });
}

/** Tells the old address, which the account no longer has when the mail is sent. */
async function change(
  tx: Tx,
  ctx: Ctx,
  account: { id: string; email: string },
  email: string,
  keptSession: string | null,
): Promise<void> {
  const { id, email: old_email } = account;
  await storeEmail(tx, id, email);
  await endOtherAccess(tx, id, keptSession);
  const origin = { ...auditOriginOf(ctx), actor_id: id };
  await writeAudit(tx, origin, [
    {
      action: 'account.change_email',
      subject_type: 'account',
      subject_id: id,
      before: { email: old_email },
      after: { email },
    },
  ]);
  await queueMail(tx, ctx, {
    kind: 'email_changed',
    account_id: id,
    language: languageOf(ctx),
    old_email,
  });
}

/** Uses the link's change; the session that asked for it stays, all others end. */
export async function confirmEmailChange(ctx: Ctx, changeId: string): Promise<void> {
  await transact(ctx.db, async (tx) => {
    const asked = await findEmailChange(tx, changeId);
    const account = asked && (await lockAccount(tx, asked.account_id));
    // Asked again, as it may have been used, replaced or given up before the account was locked.
    const waiting = account && (await findEmailChange(tx, changeId));
    if (!account || !waiting || account.banned) return fail('INVALID_CONFIRMATION');
    const { account_id: id, new_email, session_id } = waiting;
    await change(tx, ctx, { id, email: account.email }, new_email, session_id);
  }).catch((error: unknown) => {
    if (isEmailTaken(error)) fail('INVALID_CONFIRMATION');
    throw error;
  });
  ctx.jobQueue.wake(mailQueue);
}

export const getEmailChange: Action<typeof contract.getEmailChange> = async ({ db, actor }) => {
  const waiting = await findEmailChangeOf(db, actor.id);
  if (!waiting) return null;
  return { new_email: waiting.new_email, expires_at: waiting.expires_at.toISOString() };
};

export const cancelEmailChange: Action<typeof contract.cancelEmailChange> = async (ctx) => {
  await transact(ctx.db, (tx) => endEmailChange(tx, ctx.actor.id));
  return { success: true };
};
