import { enforcePasswordLimit } from '../../domain/accounts/password-limit.ts';
import type { GivenCode } from '../../domain/accounts/two-factor.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { failTooManyAttempts } from '../../platform/errors/refusal.ts';
import { consumeLimit, releaseLimit, twoFactorLimit } from '../../platform/rate-limit.ts';

/**
 * Counts a wrong code before it is checked, as a wrong password of `subject`, and for its account
 * wherever it comes from. Returns a function that undoes it.
 */
export async function enforceCodeLimit(
  ctx: Ctx,
  subject: string,
  accountId: string,
  given: GivenCode,
): Promise<() => Promise<void>> {
  const giveBack = await enforcePasswordLimit(ctx, subject);
  const giveBackCode = await countCode(ctx, accountId, given, giveBack);
  return async () => {
    await giveBack();
    await giveBackCode();
  };
}

/** Counts a wrong code for its account alone. */
export async function countCode(
  { db }: Ctx,
  accountId: string,
  { code }: GivenCode,
  onRefused: () => Promise<void>,
): Promise<() => Promise<void>> {
  if (code === undefined) return async () => {};
  const wait = await consumeLimit(db, twoFactorLimit, accountId);
  if (wait === 0) return () => releaseLimit(db, twoFactorLimit, accountId);
  await onRefused();
  return failTooManyAttempts(wait);
}
