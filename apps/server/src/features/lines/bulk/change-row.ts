import { audit } from '../../../core/audit.ts';
import type { JobItemError } from '../../../db/schema.ts';
import type { Tx } from '../../../db/transaction.ts';
import type { Changer } from '../extend-line.ts';
import { type LineUpdate, type LockedLine, updateLine } from '../locked-line.ts';
import { wantChanged } from '../want-changed.ts';
import { differences, type Plan } from './plan.ts';

/** What was done to a line. */
export interface Done extends Plan {
  transfer_id: string | null;
  /** What could not be done beside it. */
  error?: JobItemError | null;
}

export const free = { cost: 0, transfer_id: null };

async function auditEdit(tx: Tx, { actor }: Changer, line: LockedLine, fields: string[]) {
  await audit(tx, {
    actor_id: actor.id,
    action: 'line.edit',
    subject_type: 'line',
    subject_id: line.id,
    data: { username: line.username, fields },
  });
}

/** Changes what need not be paid, and tells the servers where it concerns them. */
export async function changeRow(
  tx: Tx,
  changer: Changer,
  line: LockedLine,
  changes: LineUpdate,
): Promise<Done> {
  const plan = differences(line, changes);
  await updateLine(tx, line.id, changes);
  const { server_id = line.server_id, expiry_date = line.expiry_date } =
    changes as Partial<LockedLine>;
  await wantChanged(tx, line, {
    server_id,
    expiry_date,
    username: line.username,
    isChanged: expiry_date !== line.expiry_date,
  });
  await auditEdit(tx, changer, line, Object.keys(plan.after ?? {}));
  return { ...plan, ...free };
}
