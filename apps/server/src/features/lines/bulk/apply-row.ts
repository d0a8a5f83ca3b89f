import type { Tx } from '../../../db/transaction.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { removeLines } from '../../../domain/delivery/settle.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { assignLine } from '../change/assign-line.ts';
import { changeRow, noCharge, type RowResult } from '../change/change-row.ts';
import { descriptiveUpdate } from '../change/edit-line.ts';
import { extendLine } from '../change/extend-line.ts';
import { type LockedLine, lockLine } from '../change/locked-line.ts';
import { planDeletion, planRenewal, suspension, type Work } from '../change/plan.ts';
import { suspensionGuard } from '../change/suspension.ts';
import type { Outcome, WaitingItem } from '../jobs/job-items.ts';
import type { JobRow } from '../jobs/jobs-store.ts';
import type { ActingAccount } from '../price/price.ts';

async function applyWork(
  tx: Tx,
  acting: ActingAccount,
  line: LockedLine,
  work: Work,
  job_id: string,
): Promise<RowResult> {
  switch (work.action) {
    case 'renew': {
      const { plan } = await planRenewal(tx, acting, line, work);
      const { cost, transfer_id } = await extendLine(tx, acting, line, work, job_id);
      return { ...plan, cost, transfer_id };
    }
    case 'edit':
      return changeRow(tx, line, descriptiveUpdate(work));
    case 'move':
      return changeRow(tx, line, { ...(await assignLine(tx, acting.actor, line, work)) });
    case 'suspend':
    case 'resume':
      await suspensionGuard(tx, acting.actor)(line);
      return changeRow(tx, line, suspension(acting, work)(line));
    case 'delete':
      await removeLines(tx, [line.id]);
      return { ...planDeletion(line), ...noCharge };
    case 'export':
      return { before: null, after: null, ...noCharge };
  }
}

/** Carries out one row of a job that is no undo. Throws a Refusal if the row cannot be done. */
export async function applyRow(
  tx: Tx,
  acting: ActingAccount,
  job: JobRow,
  { position, line_id }: WaitingItem,
): Promise<Outcome> {
  const line = await lockLine(tx, lineScope(acting.actor), line_id ?? fail('LINE_NOT_FOUND'));
  const work = { ...job.arguments, action: job.action } as Work;
  return { position, state: 'done', ...(await applyWork(tx, acting, line, work, job.id)) };
}
