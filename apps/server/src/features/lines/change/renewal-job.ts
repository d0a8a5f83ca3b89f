import type { Day } from '@linekeeper/contract/dates.ts';
import type { Tx } from '../../../db/transaction.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import type { Charged } from '../../../domain/credits/charge.ts';
import { insertJob } from '../../../domain/lines/jobs.ts';
import type { ActingAccount } from '../price/price.ts';
import { differing } from './differences.ts';
import type { RequestedRenewal } from './extend-line.ts';
import type { LineUpdate, LockedLine } from './locked-line.ts';

/**
 * True if undo may restore this expiry date. A line that was expired before stays renewed: renewing
 * it and undoing that every hour would keep it working for nothing.
 */
export function mayComeBack(
  { actor, today }: Pick<ActingAccount, 'actor' | 'today'>,
  expiry_date: Day,
): boolean {
  return actor.is_admin || expiry_date >= today();
}

/**
 * The renewal of one line as a job that has ended, so that it is undone like any other. Returns its id;
 * null where nothing changed, or where the line would be expired again.
 */
export async function insertRenewalJob(
  tx: Tx,
  ctx: Ctx,
  line: LockedLine,
  renewed: Charged & { changes: LineUpdate },
  requested: RequestedRenewal,
): Promise<string | null> {
  const { address, request_id } = ctx;
  const { changes, cost, transfer_id } = renewed;
  const changed = differing(line, changes);
  if (!changed || !mayComeBack(ctx, line.expiry_date)) return null;
  return insertJob(
    tx,
    {
      account_id: ctx.actor.id,
      action: 'renew',
      arguments: { ...requested },
      state: 'done',
      address,
      request_id,
    },
    [
      {
        ...changed,
        position: 1,
        line_id: line.id,
        username: line.username,
        state: 'done',
        error: null,
        cost,
        transfer_id,
      },
    ],
  );
}
