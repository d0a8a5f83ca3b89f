import type * as contract from '@linekeeper/contract/auth/auth.ts';
import { checkOwnPassword, storePassword } from '../../core/accounts/own-account.ts';
import { hashPassword, isCommonPassword } from '../../core/accounts/passwords.ts';
import { endOtherAccess } from '../../core/accounts/sessions.ts';
import { auditOriginOf, writeAudit } from '../../core/audit/audit.ts';
import { failField } from '../../core/refusal.ts';
import type { Action } from '../../core/use-case.ts';
import { transact } from '../../db/transaction.ts';

export const changePassword: Action<typeof contract.changePassword> = async (ctx, { body }) => {
  const { id } = ctx.actor;
  if (isCommonPassword(body.new_password)) failField('new_password', 'PASSWORD_TOO_COMMON');
  const { giveBack, lock } = await checkOwnPassword(ctx, 'current_password', body.current_password);
  await giveBack();
  const password = await hashPassword(body.new_password);
  await transact(ctx.db, async (tx) => {
    await lock(tx);
    await storePassword(tx, id, password);
    await endOtherAccess(tx, id, ctx.session_id);
    await writeAudit(tx, auditOriginOf(ctx), [
      { action: 'account.change_password', subject_type: 'account', subject_id: id },
    ]);
  });
  return { success: true, message: 'Password successfully changed' };
};
