import type { Transfer } from '@linekeeper/contract/accounts/accounts.ts';
import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { moveAllTo, SALES, transferColumns } from './credits.ts';

export const refundableKinds: readonly string[] = ['sale', 'renewal'];

/**
 * Refunds sales or renewals to the accounts that paid; the lines are unchanged. Returns the refunds, except of payments
 * that were refunded before. Throws TRANSFER_NOT_FOUND and NOT_REFUNDABLE.
 */
export async function refundAll(
  tx: Tx,
  ids: readonly string[],
  { job_id, actor_id, note }: { job_id: string | null; actor_id: string; note: string | null },
): Promise<Transfer[]> {
  if (ids.length === 0) return [];
  // The transfers are locked, so that of two refunds at the same time the second one sees the first.
  const paid = await tx
    .selectFrom('credit_transfers')
    .select(transferColumns)
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  if (paid.length < ids.length) fail('TRANSFER_NOT_FOUND');
  if (!paid.every(({ kind }) => refundableKinds.includes(kind))) fail('NOT_REFUNDABLE');
  const earlier = await tx
    .selectFrom('credit_transfers')
    .select('refund_of')
    .where('refund_of', 'in', ids)
    .execute();
  const refunded = new Set(earlier.map(({ refund_of }) => refund_of));
  const movements = paid
    .filter(({ id }) => !refunded.has(id))
    .map(({ id, from_id: to_id, amount, line_id, username }) => {
      const refund = { kind: 'refund' as const, from_id: SALES, to_id, amount, actor_id, note };
      return { ...refund, line_id, username, refund_of: id };
    });
  // Accounts are locked in the order of their ids, as in all other transactions.
  const byPayer = [...Map.groupBy(movements, ({ to_id }) => to_id)];
  const refunds: Transfer[] = [];
  for (const [payer_id, some] of byPayer.sort(([a], [b]) => (a < b ? -1 : 1))) {
    refunds.push(...(await moveAllTo(tx, payer_id, job_id, some)));
  }
  await endCodes(
    tx,
    refunds.map(({ line_id }) => line_id),
  );
  return refunds;
}

/** Ends the activation codes of lines that were not made: once it is refunded, a code is worth nothing. */
export const endCodes = (tx: Tx, line_ids: readonly (string | null)[]) =>
  sql`update activation_codes set refunded_at = now()
    where line_id = any(${line_ids}::uuid[]) and used_at is null and refunded_at is null`.execute(
    tx,
  );

/** Refunds one transfer, outside a job, like `refundAll`. Throws ALREADY_REFUNDED, too. */
export async function refund(
  tx: Tx,
  paid: { transfer_id: string; actor_id: string; note: string | null },
): Promise<Transfer> {
  const [transfer] = await refundAll(tx, [paid.transfer_id], { ...paid, job_id: null });
  return transfer ?? fail('ALREADY_REFUNDED');
}

/** Reads the sales and renewals that were paid for these lines. */
export function readPaymentsOf(tx: Tx, line_ids: readonly string[]) {
  return tx
    .selectFrom('credit_transfers')
    .select(['id', 'from_id', 'amount', sql<string>`line_id`.as('line_id')])
    .where(sql<boolean>`line_id = any(${line_ids}::uuid[])`)
    .where('kind', 'in', refundableKinds)
    .execute();
}
