import type { Tx } from '../../db/transaction.ts';
import { notify } from '../notices/notify.ts';

export interface Debited {
  /** The balance after the debit. */
  credits: number;
  is_admin: boolean;
  /** The account's own mark, as stored in its settings. */
  low_balance: unknown;
}

/**
 * Tells an account whose balance this debit has brought below its mark. The debit before has not, or the
 * balance rose above it since: so nothing has to be remembered, and of several debits at once, which wait
 * for each other, one crosses the mark.
 */
export async function tellLowBalance(
  tx: Tx,
  account_id: string,
  amount: number,
  { credits, is_admin, low_balance }: Debited,
): Promise<void> {
  if (is_admin || typeof low_balance !== 'number') return;
  if (credits >= low_balance || credits + amount < low_balance) return;
  await notify(tx, [
    {
      event: 'low_balance',
      facts: { credits, low_balance },
      account_id,
      link: '/payments/pricing',
    },
  ]);
}
