import type { JobItemError } from '../../../db/schema/job-schema.ts';
import type { Tx } from '../../../db/transaction.ts';
import { pushesOf, settle } from '../../../domain/delivery/settle.ts';
import { readChangedLines } from '../../../domain/lines/changed-addresses.ts';
import { checkNames, refuseName, refuseUnfitChange } from '../../../domain/lines/sent-names.ts';
import { differences, withReceivers } from './differences.ts';
import { type LineUpdate, type LockedLine, updateLine } from './locked-line.ts';
import type { Plan } from './plan.ts';
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

/** Throws NAME_SHARES_FIRST_20: while the line was suspended, its server had only the other name. */
async function refuseResumedName(tx: Tx, { username, server_id }: LockedLine): Promise<void> {
  const asked = { server_id, names: [username], isStored: true };
  refuseName(await checkNames(tx, { ...asked, except: ['long', 'held'] }));
}

/**
 * Changes fields that cost nothing, and queues pushes if the servers are affected. What an undo brings back
 * was so before. Throws NAME_TOO_LONG_FOR_CCCAM, USERNAME_EXISTS and NAME_SHARES_FIRST_20.
 */
export async function changeRow(
  tx: Tx,
  line: LockedLine,
  requested: LineUpdate,
  undone_job_id?: string,
): Promise<RowResult & { pushes: PushTarget[] }> {
  const changes = keepSuspension(line, requested);
  const changed = differences(line, changes);
  await updateLine(tx, line.id, changes);
  const after = { ...line, ...changes } as LockedLine;
  const entered = await readChangedLines(tx, line, after);
  const plan = entered === undefined ? changed : withReceivers(changed, entered);
  const asked = { undone_job_id, isStored: true };
  await refuseUnfitChange(tx, line, after, { ...asked, except: undone_job_id ? ['long'] : [] });
  if (line.suspension && !after.suspension && !undone_job_id) await refuseResumedName(tx, after);
  const pushes = pushesOf(await settle(tx, [line.id]));
  return { ...plan, ...noCharge, pushes };
}
