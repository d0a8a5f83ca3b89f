import { lineScope } from '../../../core/access.ts';
import { fail } from '../../../core/refusal.ts';
import type { Tx } from '../../../db/transaction.ts';
import { removeLine } from '../delete-line.ts';
import { describedBy } from '../edit-line.ts';
import { type Changer, extendLine } from '../extend-line.ts';
import { type LockedLine, lockLine } from '../locked-line.ts';
import { placeLine } from '../place-line.ts';
import { changeRow, type Done, free } from './change-row.ts';
import type { JobRow } from './jobs-store.ts';
import { planDeletion, planRenewal, type Work } from './plan.ts';
import { undoRow } from './undo-row.ts';

async function applyWork(tx: Tx, changer: Changer, line: LockedLine, work: Work): Promise<Done> {
  switch (work.action) {
    case 'renew': {
      const plan = planRenewal(changer, line, work);
      const { cost, transfer_id } = await extendLine(tx, changer, line, work);
      return { ...plan, cost, transfer_id };
    }
    case 'edit':
      return changeRow(tx, changer, line, describedBy(work));
    case 'move':
      return changeRow(tx, changer, line, { ...(await placeLine(tx, changer.actor, line, work)) });
    case 'delete':
      await removeLine(tx, changer, line);
      return { ...planDeletion(line), ...free };
    case 'export':
      return { before: null, after: null, ...free };
  }
}

/** Does one row of a job. Throws a Refusal where it cannot be done. */
export async function applyRow(
  tx: Tx,
  changer: Changer,
  job: JobRow,
  { position, line_id }: { position: number; line_id: string | null },
): Promise<Done> {
  const line = await lockLine(tx, lineScope(changer.actor), line_id ?? fail('LINE_NOT_FOUND'));
  if (job.undo_of) return undoRow(tx, changer, line, job.undo_of, position);
  return applyWork(tx, changer, line, { ...job.arguments, action: job.action } as Work);
}
