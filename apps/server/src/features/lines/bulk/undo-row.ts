import { refundOnce } from '../../../core/refund.ts';
import { fail } from '../../../core/refusal.ts';
import { readSettings } from '../../../core/settings.ts';
import type { JobItemError } from '../../../db/schema.ts';
import type { Tx } from '../../../db/transaction.ts';
import type { Changer } from '../extend-line.ts';
import type { LineUpdate, LockedLine } from '../locked-line.ts';
import { checkTrialLimit } from '../new-line-row.ts';
import { changeRow, type Done } from './change-row.ts';
import { isStill } from './plan.ts';

const alreadyRefunded: JobItemError = { code: 'ALREADY_REFUNDED', data: {}, field: null };

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
  if (before.is_trial === true && !line.is_trial) {
    await checkTrialLimit(tx, changer, (await readSettings(tx)).trial_limit);
  }
  if (!transfer_id) return done;
  const refunded = await refundOnce(tx, { transfer_id, actor_id: changer.actor.id });
  return refunded ? { ...done, cost: -refunded.amount } : { ...done, error: alreadyRefunded };
}
