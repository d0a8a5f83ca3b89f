import type { Transfer } from '@linekeeper/contract/accounts.ts';
import type { Tx } from '../db/transaction.ts';
import { moveCredits, SALES, toTransfer } from './credits.ts';
import { fail } from './refusal.ts';

const refundable: readonly string[] = ['sale', 'renewal'];

interface Refund {
  transfer_id: string;
  actor_id: string;
  note?: string | undefined;
}

/**
 * Gives a sale or a renewal back to who paid it; the line stays as it is. null where that was done
 * already. Throws TRANSFER_NOT_FOUND and NOT_REFUNDABLE.
 */
export async function refundOnce(
  tx: Tx,
  { transfer_id, actor_id, note }: Refund,
): Promise<Transfer | null> {
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
  if (earlier) return null;
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

/** The same, where the second time is a mistake: throws ALREADY_REFUNDED. */
export async function refund(tx: Tx, wish: Refund): Promise<Transfer> {
  return (await refundOnce(tx, wish)) ?? fail('ALREADY_REFUNDED');
}
