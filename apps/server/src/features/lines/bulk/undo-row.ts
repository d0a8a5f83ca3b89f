import { moveCredits, SALES } from '../../../core/credits.ts';
import { fail } from '../../../core/refusal.ts';
import type { JobItemError } from '../../../db/schema.ts';
import type { Tx } from '../../../db/transaction.ts';
import type { Changer } from '../extend-line.ts';
import type { LineUpdate, LockedLine } from '../locked-line.ts';
import { changeRow, type Done } from './change-row.ts';
import { isStill } from './plan.ts';

const alreadyRefunded: JobItemError = { code: 'ALREADY_REFUNDED', data: {}, field: null };

/**
 * Gives what was paid back to who paid it. False where an administrator has done so: the payment is
 * locked, so of two refunds at once the second sees the first.
 */
async function refund(tx: Tx, { actor }: Changer, transferId: string): Promise<number> {
  const paid = await tx
    .selectFrom('credit_transfers')
    .select(['id', 'from_id', 'amount', 'line_id', 'username'])
    .where('id', '=', transferId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const earlier = await tx
    .selectFrom('credit_transfers')
    .select('id')
    .where('refund_of', '=', transferId)
    .executeTakeFirst();
  if (earlier) return 0;
  await moveCredits(tx, {
    kind: 'refund',
    from_id: SALES,
    to_id: paid.from_id,
    amount: paid.amount,
    actor_id: actor.id,
    line_id: paid.line_id,
    username: paid.username,
    refund_of: paid.id,
  });
  return paid.amount;
}

async function refuseMissingServer(tx: Tx, id: unknown): Promise<void> {
  if (typeof id !== 'string') return;
  const server = await tx
    .selectFrom('cccam_servers')
    .select('id')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
  if (!server) fail('SERVER_NOT_FOUND');
}

/** Puts a line back as it was before a job, unless it was changed since, and refunds what was paid. */
export async function undoRow(
  tx: Tx,
  changer: Changer,
  line: LockedLine,
  undoneJobId: string,
  position: number,
): Promise<Done> {
  const { before, after, transfer_id } = await tx
    .selectFrom('job_items')
    .select(['before', 'after', 'transfer_id'])
    .where('job_id', '=', undoneJobId)
    .where('position', '=', position)
    .executeTakeFirstOrThrow();
  if (!before || !after || !isStill(line, after)) return fail('LINE_CHANGED_SINCE');
  await refuseMissingServer(tx, before.server_id);
  const done = await changeRow(tx, changer, line, before as LineUpdate);
  if (!transfer_id) return done;
  const refunded = await refund(tx, changer, transfer_id);
  return { ...done, cost: -refunded, error: refunded > 0 ? null : alreadyRefunded };
}
