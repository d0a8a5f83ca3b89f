import type * as contract from '@linekeeper/contract/auth/two-factor.ts';
import { type Tx, transact } from '../../db/transaction.ts';
import { checkOwnPassword, lockAccount } from '../../domain/accounts/account-passwords.ts';
import { endOtherAccess } from '../../domain/accounts/sessions.ts';
import { otpauthUrl } from '../../domain/accounts/totp.ts';
import {
  beginTwoFactor,
  isTwoFactorBegun,
  isTwoFactorOn,
  readTwoFactor,
  replaceRecoveryCodes,
  takeCode,
  turnTwoFactorOff,
  turnTwoFactorOn,
} from '../../domain/accounts/two-factor.ts';
import { auditAccount, auditOriginOf } from '../../domain/audit/audit.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { queueMail } from '../../domain/notices/outbox.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { countCode } from './sign-in.ts';

export const getTwoFactor: Action<typeof contract.getTwoFactor> = ({ db, actor }) =>
  readTwoFactor(db, actor.id);

/**
 * Prepares two-factor sign-in: creates the secret for the authenticator app and the recovery codes. It is on only after
 * `verifyTwoFactor`. Throws TWO_FACTOR_IS_ON, and the errors of `checkOwnPassword`.
 */
export const enableTwoFactor: Action<typeof contract.enableTwoFactor> = async (ctx, { body }) => {
  const { id } = ctx.actor;
  const lock = await checkOwnPassword(ctx, 'password', body.password);
  return transact(ctx.db, async (tx) => {
    const { email } = await lock(tx);
    if (await isTwoFactorOn(tx, id)) fail('TWO_FACTOR_IS_ON');
    const { secret, recovery_codes } = await beginTwoFactor(tx, ctx.secrets, id);
    return { secret, otpauth_url: otpauthUrl(secret, email), recovery_codes };
  });
};

/** Ends the account's other sessions, emails its owner, and writes the change into the audit log. */
async function recordChange(
  tx: Tx,
  ctx: Ctx,
  kind: 'two_factor_on' | 'two_factor_off',
): Promise<void> {
  const { id } = ctx.actor;
  await endOtherAccess(tx, id, ctx.session_id);
  await auditAccount(tx, auditOriginOf(ctx), `account.${kind}`, id);
  await queueMail(tx, ctx, { kind, account_id: id });
}

/**
 * Turns two-factor sign-in on by the first code of the app. Throws TWO_FACTOR_IS_ON, TWO_FACTOR_IS_OFF,
 * WRONG_TWO_FACTOR_CODE and TOO_MANY_ATTEMPTS.
 */
export const verifyTwoFactor: Action<typeof contract.verifyTwoFactor> = async (ctx, { body }) => {
  const { id } = ctx.actor;
  const forgive = await countCode(ctx, id, id, body);
  const isRight = await transact(ctx.db, async (tx) => {
    await lockAccount(tx, id);
    if (await isTwoFactorOn(tx, id)) return fail('TWO_FACTOR_IS_ON');
    if (!(await isTwoFactorBegun(tx, id))) return fail('TWO_FACTOR_IS_OFF');
    if (!(await takeCode(tx, ctx.secrets, id, body))) return false;
    await turnTwoFactorOn(tx, id);
    await recordChange(tx, ctx, 'two_factor_on');
    return true;
  });
  if (!isRight) failField('code', 'WRONG_TWO_FACTOR_CODE');
  await forgive();
  return { success: true };
};

/**
 * Turns two-factor sign-in off, with the password and a code. Throws TWO_FACTOR_IS_OFF, WRONG_TWO_FACTOR_CODE,
 * TOO_MANY_ATTEMPTS, and the errors of `checkOwnPassword`.
 */
export const disableTwoFactor: Action<typeof contract.disableTwoFactor> = async (ctx, { body }) => {
  const { id } = ctx.actor;
  const { password, ...given } = body;
  const lock = await checkOwnPassword(ctx, 'password', password);
  const forgive = await countCode(ctx, id, id, given);
  const isRight = await transact(ctx.db, async (tx) => {
    await lock(tx);
    if (!(await isTwoFactorOn(tx, id))) return fail('TWO_FACTOR_IS_OFF');
    if (!(await takeCode(tx, ctx.secrets, id, given))) return false;
    await turnTwoFactorOff(tx, id);
    await recordChange(tx, ctx, 'two_factor_off');
    return true;
  });
  if (!isRight) {
    failField(given.code === undefined ? 'recovery_code' : 'code', 'WRONG_TWO_FACTOR_CODE');
  }
  await forgive();
  return { success: true };
};

/** Creates recovery codes. Throws TWO_FACTOR_IS_OFF, and the errors of `checkOwnPassword`. */
export const newRecoveryCodes: Action<typeof contract.newRecoveryCodes> = async (ctx, { body }) => {
  const { id } = ctx.actor;
  const lock = await checkOwnPassword(ctx, 'password', body.password);
  return transact(ctx.db, async (tx) => {
    await lock(tx);
    if (!(await isTwoFactorOn(tx, id))) fail('TWO_FACTOR_IS_OFF');
    const recovery_codes = await replaceRecoveryCodes(tx, id);
    await auditAccount(tx, auditOriginOf(ctx), 'account.new_recovery_codes', id);
    return { recovery_codes };
  });
};
