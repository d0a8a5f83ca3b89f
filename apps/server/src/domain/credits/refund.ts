import type { Transfer } from '@linekeeper/contract/accounts/accounts.ts';
import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { moveAllTo, moveCredits, SALES, toTransfer, transferColumns } from './credits.ts';

export const refundableKinds: readonly string[] = ['sale', 'renewal'];

interface Refund {
  transfer_id: string;
  actor_id: string;
  note?: string | undefined;
  job_id?: string | null;
}

/**
 * Refunds a sale or renewal to the account that paid; the line is unchanged. null if it was
 * refunded before. Throws TRANSFER_NOT_FOUND and NOT_REFUNDABLE.
 */
export async function refundOnce(
  tx: Tx,
  { transfer_id, actor_id, note, job_id = null }: Refund,
): Promise<Transfer | null> {
  // Locked, so that of two concurrent refunds the second sees the first.
  const paid = await tx
    .selectFrom('credit_transfers')
    .select(transferColumns)
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
    amount: paid.amount,
    actor_id,
    note: note ?? null,
    line_id: paid.line_id,
    username: paid.username,
    refund_of: paid.id,
    job_id,
  });
  return toTransfer(given);
}

/**
 * Refunds many sales or renewals in a job of this account. Returns the credits given back, by id of what was refunded;
 * those that were refunded before are left out. Throws TRANSFER_NOT_FOUND and NOT_REFUNDABLE.
 */
export async function refundAll(
  tx: Tx,
  { id: job_id, account_id: actor_id }: { id: string; account_id: string },
  ids: readonly string[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
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
  const due = paid.filter(({ id }) => !refunded.has(id));
  const movements = due.map(({ id, from_id, amount, line_id, username }) => {
    const moved = { kind: 'refund' as const, from_id: SALES, amount, actor_id };
    return { payer_id: from_id, ...moved, note: null, line_id, username, refund_of: id };
  });
  // Accounts are locked in the order of their ids, as everywhere.
  const byPayer = [...Map.groupBy(movements, ({ payer_id }) => payer_id)];
  for (const [payer_id, some] of byPayer.sort(([a], [b]) => (a < b ? -1 : 1))) {
    await moveAllTo(
      tx,
      payer_id,
      job_id,
      some.map(({ payer_id: _, ...movement }) => movement),
    );
  }
  return new Map(due.map(({ id, amount }) => [id, amount]));
}

/** Payments for lines, ordered by payer, as accounts are locked. */
export function readPaymentsOf(tx: Tx, line_ids: readonly string[]) {
  return tx
    .selectFrom('credit_transfers')
    .select(['id', 'from_id', sql<string>`line_id`.as('line_id')])
    .where('line_id', 'in', line_ids)
    .where('kind', 'in', refundableKinds)
    .orderBy('from_id')
    .orderBy('id')
    .execute();
}

/** Like `refundOnce`, but throws ALREADY_REFUNDED. */
export async function refund(tx: Tx, requested: Refund): Promise<Transfer> {
  return (await refundOnce(tx, requested)) ?? fail('ALREADY_REFUNDED');
}
