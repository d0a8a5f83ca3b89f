import type { Transfer } from '@linekeeper/contract/accounts.ts';
import type { Tx } from '../db/transaction.ts';
import { moveCredits, SALES, toTransfer } from './credits.ts';
import { fail } from './refusal.ts';

const refundable: readonly string[] = ['sale', 'renewal'];

/**
 * Gives a sale or a renewal back to who paid it; the line stays as it is. Throws TRANSFER_NOT_FOUND,
 * NOT_REFUNDABLE and, from the second time on, ALREADY_REFUNDED.
 */
export async function refund(
  tx: Tx,
  {
    transfer_id,
    actor_id,
    note,
  }: { transfer_id: string; actor_id: string; note?: string | undefined },
): Promise<Transfer> {
  // Locked, so that of two refunds at once the second sees the first.
  const paid = await tx
    .selectFrom('credit_transfers')
    .selectAll()
    .where('id', '=', transfer_id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!paid) return fail('TRANSFER_NOT_FOUND');
  if (!refundable.includes(paid.kind)) fail('NOT_REFUNDABLE');
  const earlier = await tx
    .selectFrom('credit_transfers')
    .select('id')
    .where('refund_of', '=', transfer_id)
    .executeTakeFirst();
  if (earlier) fail('ALREADY_REFUNDED');
  const given = await moveCredits(tx, {
    kind: 'refund',
    from_id: SALES,
    to_id: paid.from_id,
    amount: paid.amount,
    actor_id,
    note: note ?? null,
    line_id: paid.line_id,
    username: paid.username,
    refund_of: paid.id,
  });
  return toTransfer(given);
}
