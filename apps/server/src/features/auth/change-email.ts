import type * as contract from '@linekeeper/contract/auth/email-change.ts';
import { sql } from 'kysely';
import { violates } from '../../db/errors.ts';
import { type Tx, transact } from '../../db/transaction.ts';
import {
  endTokens,
  findToken,
  findTokenOf,
  issueToken,
} from '../../domain/accounts/one-time-tokens.ts';
import { checkOwnPassword, lockAccount } from '../../domain/accounts/own-account.ts';
import { endOtherAccess } from '../../domain/accounts/sessions.ts';
import { auditOriginOf, writeAudit } from '../../domain/audit/audit.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { queueMails } from '../../domain/notices/outbox.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import { changeEmailLimit, enforceLimit } from '../../platform/rate-limit.ts';
import { languageOf } from './send-confirmation.ts';

const isEmailTaken = (error: unknown) => violates(error, 'auth_users_email_key');

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
    if (needsConfirmation) await requestConfirmation(tx, ctx, new_email);
    else await change(tx, ctx, { id: ctx.actor.id, email }, new_email, ctx.session_id);
  }).catch((error: unknown) => {
    if (isEmailTaken(error)) failField('new_email', 'COULD_NOT_CHANGE_EMAIL');
    throw error;
  });
  return { success: true, confirmation_needed: needsConfirmation };
};

async function requestConfirmation(tx: Tx, ctx: Ctx, new_email: string): Promise<void> {
  const { id } = ctx.actor;
  const changeId = newId();
  const data = { id: changeId, new_email, session_id: ctx.session_id };
  await issueToken(tx, 'change_email', id, data, changeId);
  await writeAudit(tx, auditOriginOf(ctx), [
    {
      action: 'account.ask_email_change',
      subject_type: 'account',
      subject_id: id,
      data: { new_email },
    },
  ]);
  const language = languageOf(ctx);
  await queueMails(tx, ctx, [
    { kind: 'confirm_new_email', account_id: id, language },
    { kind: 'email_change_asked', account_id: id, language },
  ]);
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
  await tx
    .updateTable('auth_users')
    .set({ email, email_verified: true, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
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
  await queueMails(tx, ctx, [
    { kind: 'email_changed', account_id: id, language: languageOf(ctx), old_email },
  ]);
}

/** Uses the link's change; the session that asked for it stays, all others end. */
export async function confirmEmailChange(ctx: Ctx, changeId: string): Promise<void> {
  await transact(ctx.db, async (tx) => {
    const found = await findToken(tx, 'change_email', changeId);
    const account = found && (await lockAccount(tx, found.account_id));
    // Read again, as it may have been used, replaced or given up before the account was locked.
    const waiting = account && (await findToken(tx, 'change_email', changeId));
    if (!account || !waiting || account.banned) return fail('INVALID_CONFIRMATION');
    const { account_id: id, data } = waiting;
    const { new_email, session_id } = data;
    await change(tx, ctx, { id, email: account.email }, new_email, session_id);
  }).catch((error: unknown) => {
    if (isEmailTaken(error)) fail('INVALID_CONFIRMATION');
    throw error;
  });
}

export const getEmailChange: Action<typeof contract.getEmailChange> = async ({ db, actor }) => {
  const waiting = await findTokenOf(db, 'change_email', actor.id);
  if (!waiting) return null;
  return { new_email: waiting.data.new_email, expires_at: waiting.expires_at.toISOString() };
};

export const cancelEmailChange: Action<typeof contract.cancelEmailChange> = async (ctx) => {
  await transact(ctx.db, (tx) => endTokens(tx, ctx.actor.id, ['change_email']));
  return { success: true };
};
