import type { Db } from '../../db/transaction.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { readAccount, shownCredits } from '../accounts/accounts.ts';
import type { SignedIn } from '../context/access.ts';

/** Credits to show for an account. Throws USER_NOT_FOUND. */
export async function readBalance(db: Db, accountId: string): Promise<number> {
  const account = await readAccount(db, 'id', accountId, ['is_admin', 'credits']);
  return account ? shownCredits(account) : fail('USER_NOT_FOUND');
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
