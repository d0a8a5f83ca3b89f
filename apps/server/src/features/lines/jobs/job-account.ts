import type { Tx } from '../../../db/transaction.ts';
import { readAccount } from '../../../domain/accounts/accounts.ts';
import { lockPermissions } from '../../../domain/accounts/authorization.ts';
import type { Services } from '../../../domain/context/context.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import type { ActingAccount } from '../price/price.ts';

/** Services for a job that runs without a request. */
export type JobServices = Pick<
  Services,
  'db' | 'secrets' | 'today' | 'priceFor' | 'log' | 'outbound' | 'stopping' | 'attempts'
>;

/**
 * The account that requested the job, as it is now, under a lock until the commit: a ban waits for that, and sees what
 * the account made. Throws FORBIDDEN if it may not sell any more.
 */
export async function holdActingAccount(
  tx: Tx,
  { today, priceFor }: JobServices,
  id: string,
): Promise<ActingAccount> {
  const account = await readAccount(tx, 'id', id, ['id', 'email']);
  if (!account) return fail('FORBIDDEN');
  const unread = { group_id: '', is_admin: false, permissions: [] };
  const refusals = { signedOut: 'FORBIDDEN', forbidden: 'FORBIDDEN' } as const;
  const actor = await lockPermissions(tx, { ...account, ...unread }, ['view_users'], refusals);
  return { actor, today, priceFor };
}
