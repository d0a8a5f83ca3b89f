import { type Day, monthsToCover } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import { holdAccount } from '../../../core/accounts/accounts.ts';
import { refundOnce } from '../../../core/credits/refund.ts';
import { removeLine } from '../../../core/lines/remove-line.ts';
import { fail, failField } from '../../../core/refusal.ts';
import { chooseServer } from '../../../core/servers.ts';
import type { JobItemError } from '../../../db/schema/job-schema.ts';
import type { Tx } from '../../../db/transaction.ts';
import { refuseMoveByOthers } from '../edit/place-line.ts';
import type { LineUpdate, LockedLine } from '../locked-line.ts';
import type { ActingAccount } from '../price/price.ts';
import { checkTrialLimitOfOwner } from '../price/trial-limits.ts';
import { overruler } from '../suspend/overruling.ts';
import { changeRow, type KeptDay, noCharge, type RowResult } from './change-row.ts';
import { isUnchanged, lineFields, planDeletion } from './plan.ts';

/** As long as a month is when a day of it is paid for. */
export const DAYS_A_MONTH = 30;

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

/** Deletes a line that an import has made. Throws LINE_CHANGED_SINCE. */
async function removeImported(tx: Tx, line: LockedLine): Promise<RowResult> {
  if (!(await isAsMade(tx, line.id))) fail('LINE_CHANGED_SINCE');
  await removeLine(tx, line);
  return { ...planDeletion(line), ...noCharge };
}

interface UndoneRow {
  undo_id: string;
  undone_id: string;
  position: number;
}

/**
 * True if the line's name was on its server: put there for it, or still there from a line before it whose
 * deletion has not come through.
 */
async function wasOnServer(tx: Tx, { id, server_id, username, suspension }: LockedLine) {
  const { rows } = await sql<{ was_used: boolean }>`
    select exists (select from line_pushes where line_id = ${id} and operation = 'add' and ok)
      or ${suspension === null} and exists (select from server_accounts
        where server_id = ${server_id} and username = ${username} and on_server) as was_used`.execute(
    tx,
  );
  return rows[0]?.was_used ?? false;
}

/**
 * Credits that the undo of an import keeps for one of its lines. A day of each line that was on its server is paid
 * for; imported and taken back hour after hour, under one name or others, it would work for nothing. The
 * days of the whole undo are added up before they are rounded, each row's from what those before it kept.
 */
async function keepDay(tx: Tx, undo_id: string, transfer_id: string): Promise<KeptDay> {
  const { rows } = await sql<KeptDay>`
    with earlier as (
      select coalesce(sum((input ->> 'day')::numeric), 0) as days,
          coalesce(sum((input ->> 'kept')::integer), 0) as kept
        from job_items where job_id = ${undo_id} and state = 'done'
    ), own as (
      select amount, amount::numeric / (${DAYS_A_MONTH} * greatest(1, months)) as day
        from credit_transfers paid join sold_terms on transfer_id = paid.id where paid.id = ${transfer_id}
    )
    select day::float8 as day,
        greatest(0, least(amount, ceil(round(days + day, 6)) - kept))::integer as kept
      from own, earlier`.execute(tx);
  return rows[0] ?? { day: 0, kept: 0 };
}

/**
 * Restores a line as it was before a job and refunds it. Throws LINE_CHANGED_SINCE if it was
 * changed after the job.
 */
export async function undoRow(
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
  const wasMade = action === 'import' && before === null;
  // Before it is deleted there.
  const wasUsed = wasMade && transfer_id !== null && (await wasOnServer(tx, line));
  const done = wasMade
    ? await removeImported(tx, line)
    : await putBack(tx, acting, line, lineFields(before ?? {}) as Before, row.undone_id);
  if (!transfer_id) return done;
  // Rows of one undo wait for each other here, so that their days are added up.
  if (wasUsed) await holdAccount(tx, acting.actor.id);
  const input = wasUsed ? await keepDay(tx, row.undo_id, transfer_id) : null;
  const kept = input?.kept ?? 0;
  if (kept === cost) return { ...done, input };
  const refunded = await refundOnce(tx, { transfer_id, actor_id: acting.actor.id, kept });
  if (!refunded) return { ...done, error: alreadyRefunded };
  return { ...done, input, cost: -refunded.amount };
}
