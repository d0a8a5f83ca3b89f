import { topUpNumber } from '@linekeeper/contract/credits/top-ups.ts';
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { TopUpsTable } from '../../db/schema/top-up-schema.ts';
import type { Tx } from '../../db/transaction.ts';
import { ISSUANCE, moveCredits } from '../../domain/credits/credits.ts';

export type TopUpRow = Selectable<TopUpsTable>;

/** Locked until the transaction ends. Top-ups are locked before the accounts that credits lock. */
export async function lockTopUp(tx: Tx, id: string): Promise<TopUpRow | undefined> {
  return tx
    .selectFrom('top_ups')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

interface Decision {
  /** Who causes the credits: an administrator, or the account by its own payment. */
  actor_id: string;
  decided_by: string | null;
  paid_session: string | null;
}

/**
 * Issues the credits of a top-up that is locked and not approved. The statement that marks it as
 * approved asks again if it was not, and each top-up has one transfer.
 */
export async function issueCredits(tx: Tx, topUp: TopUpRow, decision: Decision): Promise<void> {
  const { id, account_id, credits, number } = topUp;
  const { actor_id, ...decided } = decision;
  const transfer = await moveCredits(tx, {
    kind: 'topup',
    from_id: ISSUANCE,
    to_id: account_id,
    amount: credits,
    actor_id,
    note: topUpNumber(number),
  });
  const { numUpdatedRows } = await tx
    .updateTable('top_ups')
    .set({
      ...decided,
      status: 'approved',
      reason: null,
      transfer_id: transfer.id,
      decided_at: sql`clock_timestamp()`,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .where('status', '<>', 'approved')
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) throw new Error('A top-up was approved twice');
}

/** Marks a top-up for an administrator to look at. */
export async function flagTopUp(
  tx: Tx,
  id: string,
  problem: NonNullable<TopUpRow['problem']>,
): Promise<void> {
  await tx
    .updateTable('top_ups')
    .set({ problem, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}
