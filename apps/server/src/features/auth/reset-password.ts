import type * as contract from '@linekeeper/contract/auth/auth.ts';
import { confirmAddress, lockAccount, storePassword } from '../../core/accounts/own-account.ts';
import { hashPassword, isCommonPassword } from '../../core/accounts/passwords.ts';
import { enforceLimit, releaseLimit, resetLimit } from '../../core/accounts/rate-limit.ts';
import { accountOfResetLink, takeResetLink } from '../../core/accounts/reset-links.ts';
import { endAccess } from '../../core/accounts/sessions.ts';
import { proveMailbox } from '../../core/accounts/sign-ups.ts';
import { auditOriginOf, writeAudit } from '../../core/audit/audit.ts';
import type { Ctx } from '../../core/context.ts';
import { fail, failField } from '../../core/refusal.ts';
import type { Action } from '../../core/use-case.ts';
import { type Tx, transact } from '../../db/transaction.ts';

/** Asks anew what the link may do, as it may have been replaced or ended while the hash was made. */
async function useLink(tx: Tx, ctx: Ctx, token: string): Promise<string> {
  const id = await accountOfResetLink(tx, token);
  const taken = await takeResetLink(tx, token);
  if (id === null || taken?.account_id !== id) return fail('INVALID_RESET_LINK');
  if (!taken.was_mailed) return id;
  // It proves the address, as a confirmation link does.
  await confirmAddress(tx, id);
  if (await proveMailbox(tx, id)) {
    await writeAudit(tx, auditOriginOf(ctx), [
      { action: 'account.two_factor_off', subject_type: 'account', subject_id: id },
    ]);
  }
  return id;
}

export const resetPassword: Action<typeof contract.resetPassword> = async (ctx, { body }) => {
  const { token, new_password } = body;
  if (isCommonPassword(new_password)) failField('new_password', 'PASSWORD_TOO_COMMON');
  await enforceLimit(ctx.db, resetLimit, ctx.network);
  if ((await accountOfResetLink(ctx.db, token)) === null) fail('INVALID_RESET_LINK');
  // The link is good, so this is no failure.
  await releaseLimit(ctx.db, resetLimit, ctx.network);
  const password = await hashPassword(new_password);
  await transact(ctx.db, async (tx) => {
    const id = await useLink(tx, ctx, token);
    await lockAccount(tx, id);
    await storePassword(tx, id, password);
    await endAccess(tx, id);
    await writeAudit(tx, auditOriginOf(ctx), [
      { action: 'account.reset_password', subject_type: 'account', subject_id: id },
    ]);
  });
  return { success: true, message: 'Password successfully changed' };
};
