import { monthsToCover } from '@linekeeper/contract/dates.ts';
import type { Tx } from '../../../db/transaction.ts';
import { holdAccount } from '../../../domain/accounts/accounts.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { refundOnce } from '../../../domain/credits/refund.ts';
import { chooseServer } from '../../../domain/delivery/servers.ts';
import { removeLines } from '../../../domain/delivery/settle.ts';
import { fail, failField } from '../../../platform/errors/refusal.ts';
import { assignLine, refuseMoveByOthers } from '../change/assign-line.ts';
import { changeRow, noCharge, type RowResult } from '../change/change-row.ts';
import { descriptiveUpdate } from '../change/edit-line.ts';
import { extendLine } from '../change/extend-line.ts';
import { type LineUpdate, type LockedLine, lockLine } from '../change/locked-line.ts';
import {
  isUnchanged,
  lineFields,
  planDeletion,
  planRenewal,
  suspension,
  type Work,
} from '../change/plan.ts';
import { mayComeBack } from '../change/renewal-job.ts';
import { suspensionGuard } from '../change/suspension.ts';
import { alreadyRefunded } from '../jobs/job-items.ts';
import { type JobRow, makesLines } from '../jobs/jobs-store.ts';
import { findUsed, keepDays } from '../jobs/kept-days.ts';
import type { ActingAccount } from '../price/price.ts';
import { checkTrialLimitOfOwner } from '../price/trial-limits.ts';
import { findAwaited } from './taken-back.ts';

/** The earlier values that a line is restored to. */
type Before = Pick<
  LineUpdate,
  'server_id' | 'owner_id' | 'expiry_date' | 'is_trial' | 'suspension'
>;

/**
 * Checks undo by the rules of the change that it makes: an account that is no administrator any more
 * can neither move a line nor give it a later date for nothing. Throws ADMIN_ONLY_FIELD,
 * NO_ACTIVE_CCCAM_SERVERS, SERVER_NOT_FOUND, INVALID_EXPIRY_DATE and UNDO_WOULD_EXPIRE.
 */
async function refuseForbidden(
  tx: Tx,
  acting: ActingAccount,
  line: LockedLine,
  { server_id, owner_id, expiry_date }: Before,
): Promise<void> {
  const { actor, priceFor } = acting;
  refuseMoveByOthers(actor, { server_id, owner_id });
  if (server_id !== undefined) await chooseServer(tx, server_id, 'NO_ACTIVE_CCCAM_SERVERS');
  if (expiry_date === undefined || actor.is_admin) return;
  const owed = await priceFor(tx, actor, monthsToCover(line.expiry_date, expiry_date));
  if (owed > 0) failField('expiry_date', 'INVALID_EXPIRY_DATE');
  if (!mayComeBack(acting, expiry_date)) fail('UNDO_WOULD_EXPIRE');
}

async function putBack(
  tx: Tx,
  acting: ActingAccount,
  line: LockedLine,
  before: Before,
  undoneJobId: string,
): Promise<RowResult> {
  await refuseForbidden(tx, acting, line, before);
  if (before.suspension !== undefined) await suspensionGuard(tx, acting.actor)(line);
  const done = await changeRow(tx, line, before as LineUpdate, undoneJobId);
  if (before.is_trial === true) await checkTrialLimitOfOwner(tx, acting, line.owner_id);
  return done;
}

/** True if the line has not been changed since it was created. */
async function isAsMade(tx: Tx, id: string): Promise<boolean> {
  const line = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .whereRef('updated_at', '=', 'created_at')
    .executeTakeFirst();
  return line !== undefined;
}

/** Deletes a line that an import has made. Throws LINE_CHANGED_SINCE. */
async function removeImported(tx: Tx, line: LockedLine): Promise<RowResult> {
  if (!(await isAsMade(tx, line.id))) fail('LINE_CHANGED_SINCE');
  await removeLines(tx, [line.id]);
  return { ...planDeletion(line), ...noCharge };
}

interface UndoneRow {
  undo_id: string;
  undone_id: string;
  position: number;
}

/**
 * Restores a line as it was before a job and refunds it, once no card server has more of it than that. Throws LINE_CHANGED_SINCE if it was
 * changed after the job.
 */
async function undoRow(
  tx: Tx,
  acting: ActingAccount,
  line: LockedLine,
  row: UndoneRow,
): Promise<RowResult> {
  const { action, before, after, transfer_id, cost } = await tx
    .selectFrom('job_items')
    .innerJoin('jobs', 'jobs.id', 'job_items.job_id')
    .select(['jobs.action', 'before', 'after', 'transfer_id', 'cost'])
    .where('job_id', '=', row.undone_id)
    .where('position', '=', row.position)
    .executeTakeFirstOrThrow();
  if (!after || !isUnchanged(line, after)) return fail('LINE_CHANGED_SINCE');
  // An import made the lines that were not there before, and extended the others.
  const wasMade = makesLines.includes(action) && before === null;
  // Used lines are found before the line is deleted on its server.
  const used = wasMade && transfer_id !== null ? await findUsed(tx, [line]) : new Set<string>();
  const done = wasMade
    ? await removeImported(tx, line)
    : await putBack(tx, acting, line, lineFields(before ?? {}) as Before, row.undone_id);
  const awaits = wasMade || transfer_id ? (await findAwaited(tx, [line])).get(line.id) : undefined;
  if (!transfer_id) {
    return awaits ? { ...done, input: { transfer_id: null, owed: 0, awaits } } : done;
  }
  // Rows of one undo wait for each other here, so that their days are added up.
  if (used.size > 0) await holdAccount(tx, acting.actor.id);
  const days = used.size > 0 ? await keepDays(tx, row.undo_id, [transfer_id]) : undefined;
  const input = days?.get(transfer_id) ?? null;
  const kept = input?.kept ?? 0;
  const isOwed = kept !== cost;
  if (awaits) {
    const owed = { transfer_id: isOwed ? transfer_id : null, owed: cost - kept, awaits };
    return { ...done, cost: 0, input: { ...input, ...owed } };
  }
  if (!isOwed) return { ...done, input };
  const refunded = await refundOnce(tx, {
    transfer_id,
    actor_id: acting.actor.id,
    kept,
    job_id: row.undo_id,
  });
  if (!refunded) return { ...done, error: alreadyRefunded };
  return { ...done, input, cost: -refunded.amount };
}

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
  return applyWork(tx, acting, line, { ...job.arguments, action: job.action } as Work, job.id);
}
