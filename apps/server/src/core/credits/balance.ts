import { ADMIN_CREDITS_SHOWN } from '@linekeeper/contract/pricing.ts';
import type { Db } from '../../db/transaction.ts';

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
