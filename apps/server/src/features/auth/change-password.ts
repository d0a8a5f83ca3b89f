import type * as contract from '@linekeeper/contract/auth.ts';
import { enforcePasswordLimit } from '../../core/accounts/password-limit.ts';
import { hashPassword, isCommonPassword, verifyPassword } from '../../core/accounts/passwords.ts';
import { endResetLink } from '../../core/accounts/reset-links.ts';
import { endOtherSessions } from '../../core/accounts/sessions.ts';
import { auditOriginOf, writeAudit } from '../../core/audit/audit.ts';
import { failField, isRetryable } from '../../core/refusal.ts';
import type { Action } from '../../core/use-case.ts';
import { transact } from '../../db/transaction.ts';
import { auditWrongPassword } from './audit-sessions.ts';

export const changePassword: Action<typeof contract.changePassword> = async (ctx, { body }) => {
  const { id } = ctx.actor;
  if (isCommonPassword(body.new_password)) failField('new_password', 'PASSWORD_TOO_COMMON');
  const giveBack = await enforcePasswordLimit(ctx, id);
  const credential = await ctx.db
    .selectFrom('auth_credentials')
    .select(['id', 'password'])
    .where('user_id', '=', id)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  const isRight = await verifyPassword(credential?.password ?? '', body.current_password).catch(
    async (error: unknown) => {
      // The password was not checked, so this is no failure.
      if (isRetryable(error)) await giveBack();
      throw error;
    },
  );
  if (!credential || !isRight) {
    await auditWrongPassword(ctx, ctx.actor.email);
    failField('current_password', 'WRONG_CURRENT_PASSWORD');
  }
  await giveBack();
  const password = await hashPassword(body.new_password);
  await transact(ctx.db, async (tx) => {
    await tx
      .updateTable('auth_credentials')
      .set({ password, updated_at: new Date() })
      .where('id', '=', credential.id)
      .execute();
    await endResetLink(tx, id);
    await endOtherSessions(tx, id, ctx.session_id);
    await writeAudit(tx, auditOriginOf(ctx), [
      { action: 'account.change_password', subject_type: 'account', subject_id: id },
    ]);
  });
  return { success: true, message: 'Password successfully changed' };
};
