import type { Tx } from '../../../db/transaction.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { removeLine } from '../../../domain/delivery/remove-line.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { changeRow, noCharge, type RowResult } from '../change/change-row.ts';
import { descriptiveUpdate } from '../change/edit-line.ts';
import { extendLine } from '../change/extend-line.ts';
import { type LockedLine, lockLine } from '../change/locked-line.ts';
import { overruler } from '../change/overruling.ts';
import { placeLine } from '../change/place-line.ts';
import { planDeletion, planRenewal, suspension, type Work } from '../change/plan.ts';
import type { JobRow } from '../jobs/jobs-store.ts';
import type { ActingAccount } from '../price/price.ts';
import { undoRow } from './undo-row.ts';

async function applyWork(
  tx: Tx,
  acting: ActingAccount,
  line: LockedLine,
  work: Work,
): Promise<RowResult> {
  switch (work.action) {
    case 'renew': {
      const { plan } = await planRenewal(tx, acting, line, work);
      const { cost, transfer_id } = await extendLine(tx, acting, line, work);
      return { ...plan, cost, transfer_id };
    }
    case 'edit':
      return changeRow(tx, line, descriptiveUpdate(work));
    case 'move':
      return changeRow(tx, line, { ...(await placeLine(tx, acting.actor, line, work)) });
    case 'suspend':
    case 'resume':
      await overruler(tx, acting.actor)(line);
      return changeRow(tx, line, suspension(acting, work)(line));
    case 'delete':
      await removeLine(tx, line);
      return { ...planDeletion(line), ...noCharge };
    case 'export':
      return { before: null, after: null, ...noCharge };
  }
}

/** Carries out one row of a job. Throws a Refusal if the row cannot be done. */
export async function applyRow(
  tx: Tx,
  acting: ActingAccount,
  job: JobRow,
  { position, line_id }: { position: number; line_id: string | null },
): Promise<RowResult> {
  const line = await lockLine(tx, lineScope(acting.actor), line_id ?? fail('LINE_NOT_FOUND'));
  if (job.undo_of) {
    const row = { undo_id: job.id, undone_id: job.undo_of, position };
    return undoRow(tx, acting, line, row);
  }
  return applyWork(tx, acting, line, { ...job.arguments, action: job.action } as Work);
}
