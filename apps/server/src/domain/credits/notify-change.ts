import type { Transfer } from '@linekeeper/contract/accounts/accounts.ts';
import type { Tx } from '../../db/transaction.ts';
import { notify } from '../notices/notify.ts';

/** Notifies an account that another account added credits to its balance or took some back. */
export async function notifyCreditChange(
  tx: Tx,
  account_id: string,
  { amount, note, to_id, actor_id }: Transfer,
): Promise<void> {
  if (actor_id === account_id) return;
  const account = await tx
    .selectFrom('auth_users')
    .select(['credits', 'is_admin'])
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow();
  const balance = account.is_admin ? null : account.credits;
  await notify(tx, [
    {
      event: to_id === account_id ? 'credits_added' : 'credits_taken_back',
      facts: { amount, balance, note },
      account_id,
      link: '/credits',
    },
  ]);
}
