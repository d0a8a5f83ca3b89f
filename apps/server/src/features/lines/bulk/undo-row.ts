import { type Day, monthsToCover } from '@linekeeper/contract/dates.ts';
import { refundOnce, wasRefundedLately } from '../../../core/credits/refund.ts';
import { fail, failField } from '../../../core/refusal.ts';
import { chooseServer } from '../../../core/servers.ts';
import type { JobItemError } from '../../../db/schema/job-schema.ts';
import type { Tx } from '../../../db/transaction.ts';
import { removeLine } from '../edit/delete-line.ts';
import { refuseMoveByOthers } from '../edit/place-line.ts';
import type { LineUpdate, LockedLine } from '../locked-line.ts';
import type { ActingAccount } from '../price/price.ts';
import { checkTrialLimitOfOwner } from '../price/trial-limits.ts';
import { overruler } from '../suspend/overruling.ts';
import { changeRow, noCharge, type RowResult } from './change-row.ts';
import { isUnchanged, lineFields, planDeletion } from './plan.ts';

const alreadyRefunded: JobItemError = { code: 'ALREADY_REFUNDED', data: {}, field: null };

/** The earlier values that a line is restored to. */
type Before = Pick<
  LineUpdate,
  'server_id' | 'owner_id' | 'expiry_date' | 'is_trial' | 'suspension'
>;

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
  if (before.suspension !== undefined) await overruler(tx, acting.actor)(line);
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

/**
 * Deletes a line that an import has made. One name is taken back for its credits once a day: imported
 * and taken back hour after hour, it would work for nothing. Throws LINE_CHANGED_SINCE and
 * UNDONE_LATELY.
 */
async function removeImported(
  tx: Tx,
  { actor }: ActingAccount,
  line: LockedLine,
  transfer_id: string | null,
): Promise<RowResult> {
  if (!(await isAsMade(tx, line.id))) fail('LINE_CHANGED_SINCE');
  if (transfer_id && !actor.is_admin) {
    const sale = { account_id: actor.id, username: line.username, transfer_id };
    if (await wasRefundedLately(tx, sale)) fail('UNDONE_LATELY');
  }
  await removeLine(tx, line);
  return { ...planDeletion(line), ...noCharge };
}

/**
 * Restores a line as it was before a job and refunds it. Throws LINE_CHANGED_SINCE if it was
 * changed after the job.
 */
export async function undoRow(
  tx: Tx,
  acting: ActingAccount,
  line: LockedLine,
  undoneJobId: string,
  position: number,
): Promise<RowResult> {
  const { action, before, after, transfer_id } = await tx
    .selectFrom('job_items')
    .innerJoin('jobs', 'jobs.id', 'job_items.job_id')
    .select(['jobs.action', 'before', 'after', 'transfer_id'])
    .where('job_id', '=', undoneJobId)
    .where('position', '=', position)
    .executeTakeFirstOrThrow();
  if (!after || !isUnchanged(line, after)) return fail('LINE_CHANGED_SINCE');
  // An import made the lines that were not there before, and extended the others.
  const done =
    action === 'import' && before === null
      ? await removeImported(tx, acting, line, transfer_id)
      : await putBack(tx, acting, line, lineFields(before ?? {}) as Before, undoneJobId);
  if (!transfer_id) return done;
  const refunded = await refundOnce(tx, { transfer_id, actor_id: acting.actor.id });
  return refunded ? { ...done, cost: -refunded.amount } : { ...done, error: alreadyRefunded };
}
