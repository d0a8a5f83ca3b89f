import type * as contract from '@linekeeper/contract/auth/auth.ts';
import { transact } from '../../db/transaction.ts';
import { checkOwnPassword, storePassword } from '../../domain/accounts/own-account.ts';
import { endOtherAccess } from '../../domain/accounts/sessions.ts';
import { auditOriginOf, writeAudit } from '../../domain/audit/audit.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { failField } from '../../platform/errors/refusal.ts';
import { hashPassword, isCommonPassword } from '../../platform/keys/passwords.ts';

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
