import type { JobItemError } from '../../../db/schema/job-schema.ts';
import type { Tx } from '../../../db/transaction.ts';
import { readChangedLines } from '../../../domain/lines/changed-addresses.ts';
import {
  refuseStoredName,
  refuseTakenName,
  refuseUnfitChange,
} from '../../../domain/lines/sent-names.ts';
import { differences, withReceivers } from './differences.ts';
import { type LineUpdate, type LockedLine, updateLine } from './locked-line.ts';
import type { Plan } from './plan.ts';
import { queueLinePush } from './queue-line-push.ts';
import type { PushTarget } from './reply-with-sync.ts';
import { keepSuspension } from './suspension.ts';

/** What was undone, and its refund, waits until card servers have taken it. */
export interface AwaitedRefund {
  /** null where nothing was paid. */
  transfer_id: string | null;
  /** Credits. */
  owed: number;
  awaits: { server_id: string; username: string; revision: number }[];
}

/** Result of changing a line. */
export interface RowResult extends Plan {
  transfer_id: string | null;
  /** The part that could not be done. */
  error?: JobItemError | null;
  input?: AwaitedRefund | null;
}

export const noCharge = { cost: 0, transfer_id: null };

async function refuseUnfitName(tx: Tx, line: LockedLine, after: LockedLine): Promise<void> {
  const { username, server_id, suspension } = after;
  await refuseUnfitChange(tx, line, after, 'stored');
  // While it was suspended, its server had only the other name.
  if (line.suspension && !suspension) await refuseStoredName(tx, username, server_id);
}

/**
 * Changes fields that cost nothing, and queues pushes if the servers are affected. What an undo brings back
 * was so before.
 */
export async function changeRow(
  tx: Tx,
  line: LockedLine,
  requested: LineUpdate,
  undoneJobId: string | null = null,
): Promise<RowResult & { pushes: PushTarget[] }> {
  const changes = keepSuspension(line, requested);
  const changed = differences(line, changes);
  await updateLine(tx, line.id, changes);
  const after = { ...line, ...changes } as LockedLine;
  const entered = await readChangedLines(tx, line, after);
  const plan = entered === undefined ? changed : withReceivers(changed, entered);
  if (undoneJobId) await refuseTakenName(tx, line, after, undoneJobId);
  else await refuseUnfitName(tx, line, after);
  const pushes = await queueLinePush(tx, line, after);
  return { ...plan, ...noCharge, pushes };
}
