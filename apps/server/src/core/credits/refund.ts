import type { Transfer } from '@linekeeper/contract/accounts/accounts.ts';
import type { Tx } from '../../db/transaction.ts';
import { fail } from '../refusal.ts';
import { moveCredits, SALES, toTransfer } from './credits.ts';

export const refundableKinds: readonly string[] = ['sale', 'renewal'];

interface Refund {
  transfer_id: string;
  actor_id: string;
  note?: string | undefined;
  /** Credits of the price that are not given back, at most all but one. */
  kept?: number;
}

/**
 * Refunds a sale or renewal to the account that paid; the line is unchanged. null if it was
 * refunded before. Throws TRANSFER_NOT_FOUND and NOT_REFUNDABLE.
 */
export async function refundOnce(
  tx: Tx,
  { transfer_id, actor_id, note, kept = 0 }: Refund,
): Promise<Transfer | null> {
  // Locked, so that of two concurrent refunds the second sees the first.
  const paid = await tx
    .selectFrom('credit_transfers')
    .selectAll()
    .where('id', '=', transfer_id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!paid) return fail('TRANSFER_NOT_FOUND');
  if (!refundableKinds.includes(paid.kind)) fail('NOT_REFUNDABLE');
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
    amount: paid.amount - kept,
    actor_id,
    note: note ?? null,
    line_id: paid.line_id,
    username: paid.username,
    refund_of: paid.id,
  });
  return toTransfer(given);
}

/** Like `refundOnce`, but throws ALREADY_REFUNDED. */
export async function refund(tx: Tx, requested: Refund): Promise<Transfer> {
  return (await refundOnce(tx, requested)) ?? fail('ALREADY_REFUNDED');
}
