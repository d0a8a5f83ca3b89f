import { ADMIN_CREDITS_SHOWN } from '@linekeeper/contract/pricing.ts';
import type { Db } from '../../db/transaction.ts';
import { fail } from '../../platform/errors/refusal.ts';
import type { SignedIn } from '../context/access.ts';

/** Credits to show for an account; a fixed number for administrators, whose credits are not counted. */
export function shownCredits(account: { is_admin: boolean; credits: number }): number {
  return account.is_admin ? ADMIN_CREDITS_SHOWN : account.credits;
}

export async function readBalance(db: Db, accountId: string): Promise<number> {
  const account = await db
    .selectFrom('auth_users')
    .select(['is_admin', 'credits'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return shownCredits(account);
}

/**
 * Throws INSUFFICIENT_CREDITS before a look-up that precedes the charge, so that an actor who cannot pay
 * learns nothing about other accounts from its result.
 */
export async function refuseUnpaid(db: Db, actor: SignedIn, required: number): Promise<void> {
  if (actor.is_admin || required === 0) return;
  const available = await readBalance(db, actor.id);
  if (required > available) fail('INSUFFICIENT_CREDITS', { required, available });
}
