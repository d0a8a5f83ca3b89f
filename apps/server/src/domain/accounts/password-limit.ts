import { transact } from '../../db/transaction.ts';
import { isRetryable } from '../../platform/errors/refusal.ts';
import { verifyPassword } from '../../platform/keys/passwords.ts';
import {
  auditedFailuresLimit,
  consumeLimit,
  enforceLimit,
  type Limit,
  releaseLimit,
  signInAddressLimit,
  signInLimit,
} from '../../platform/rate-limit.ts';
import { auditAccount, auditOriginOf, writeNoAudit } from '../audit/audit.ts';
import type { Ctx } from '../context/context.ts';
import { readAccount } from './accounts.ts';

/** Forgives a counted attempt: nothing was guessed, or nothing was checked. */
export type Forgive = () => Promise<void>;

/**
 * Counts a failed attempt by each limit before it is checked. Throws TOO_MANY_ATTEMPTS, and forgives the limits
 * before and `earlier`, if one is reached.
 */
export async function countAttempt(
  { db }: Pick<Ctx, 'db'>,
  limits: readonly (readonly [Limit, string])[],
  earlier: Forgive = async () => {},
): Promise<Forgive> {
  let forgive = earlier;
  for (const [limit, subject] of limits) {
    const before = forgive;
    try {
      await enforceLimit(db, limit, subject);
    } catch (error) {
      await before();
      throw error;
    }
    forgive = async () => {
      await before();
      await releaseLimit(db, limit, subject);
    };
  }
  return forgive;
}

/** Counts a failed sign-in for `subject` and for the client address. Throws TOO_MANY_ATTEMPTS. */
export const countPassword = (ctx: Ctx, subject: string): Promise<Forgive> =>
  countAttempt(ctx, [
    [signInLimit, subject],
    [signInAddressLimit, ctx.network],
  ]);

/** The result of `check`. Forgives the attempt if the check could not be made. */
export const checking = <T>(check: Promise<T>, forgive: Forgive): Promise<T> =>
  check.catch(async (error: unknown) => {
    if (isRetryable(error)) await forgive();
    throw error;
  });

/**
 * Writes a wrong password for an account into the audit log. Attempts that the rate limits refuse are not
 * written. Neither is an address without an account: it may be a password in the wrong field. Both cases
 * run equal statements, so that the time of the reply does not reveal which accounts exist.
 */
export async function auditWrongPassword(ctx: Ctx, email: string): Promise<void> {
  await transact(ctx.db, async (tx) => {
    const account = await readAccount(tx, 'email', email, ['id']);
    if ((await consumeLimit(tx, auditedFailuresLimit, email)) > 0) return;
    if (!account) return writeNoAudit(tx);
    await auditAccount(tx, auditOriginOf(ctx), 'account.wrong_password', account.id);
  });
}

/** True if the password is right for the hash. A wrong one is written into the audit log of the email's account. */
export async function isPassword(
  ctx: Ctx,
  email: string,
  hash: string | null,
  password: string,
): Promise<boolean> {
  const isRight = await verifyPassword(hash ?? '', password);
  if (!isRight) await auditWrongPassword(ctx, email);
  return isRight;
}
