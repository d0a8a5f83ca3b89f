import { monthsToCover } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../db/transaction.ts';
import { countUndone } from '../../../domain/accounts/daily-limits.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { refundAll } from '../../../domain/credits/refund.ts';
import { removeLines } from '../../../domain/delivery/settle.ts';
import { readReached, type ServersById } from '../../../domain/lines/changed-addresses.ts';
import { chooseServer } from '../../../domain/machines/servers.ts';
import { fail, failField } from '../../../platform/errors/refusal.ts';
import { refuseMoveByOthers } from '../change/assign-line.ts';
import { changeLines, changeOf } from '../change/change-row.ts';
import { mayComeBack } from '../change/extend-line.ts';
import { type LineUpdate, type LockedLine, lockingLines } from '../change/locked-line.ts';
import { isUnchanged, lineFields, type Plan, planChange, planDeletion } from '../change/plan.ts';
import { suspensionGuard } from '../change/suspension.ts';
import { isUndelivered, takeBackUndelivered } from '../change/undo-line.ts';
import { alreadyRefunded, type Outcome, type WaitingItem } from '../jobs/job-items.ts';
import { type JobRow, makesLines } from '../jobs/jobs-store.ts';
import type { ActingAccount } from '../price/price.ts';
import { checkTrialLimitOfOwner } from '../price/trial-limits.ts';
import { findAwaited } from './taken-back.ts';

/** The earlier values that a line is restored to. */
type Before = Pick<
  LineUpdate,
  'server_id' | 'owner_id' | 'host_port' | 'expiry_date' | 'is_trial' | 'suspension'
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
  servers: ServersById,
  undoneJobId: string,
): Promise<Plan> {
  await refuseForbidden(tx, acting, line, before);
  if (before.suspension !== undefined) await suspensionGuard(tx, acting.actor)(line);
  const plan = planChange(line, before as LineUpdate, servers);
  await changeLines(tx, [changeOf({ line, plan })], { undone_job_id: undoneJobId });
  if (before.is_trial === true) await checkTrialLimitOfOwner(tx, acting, line.owner_id);
  return plan;
}

/** A row of the job that is undone, with its line as it is now. */
interface UndoneRow {
  position: number;
  line: LockedLine;
  /** null if the job made the line; else the earlier values that it is restored to. */
  before: Before | null;
  /** The job made the line, and no card server ever had it. */
  isUntouched: boolean;
  transfer_id: string | null;
  cost: number;
}

/** Locks the lines in order of their ids, as every job does. Throws LINE_NOT_FOUND and LINE_CHANGED_SINCE. */
async function lockRows(
  tx: Tx,
  { actor }: ActingAccount,
  undoneJobId: string,
  items: readonly WaitingItem[],
): Promise<UndoneRow[]> {
  const rows = await tx
    .selectFrom('job_items')
    .innerJoin('jobs', 'jobs.id', 'job_items.job_id')
    .select(['jobs.action', 'position', 'before', 'after', 'transfer_id', 'cost'])
    .where('job_id', '=', undoneJobId)
    .where(
      'position',
      'in',
      items.map(({ position }) => position),
    )
    .execute();
  const ids = items.flatMap(({ line_id }) => line_id ?? []);
  const lines = await lockingLines(tx, lineScope(actor), ids)
    .select(sql<boolean>`updated_at = created_at`.as('is_as_made'))
    .select(isUndelivered.as('is_undelivered'))
    .execute();
  const rowAt = new Map(rows.map((row) => [row.position, row]));
  const lineOf = new Map(lines.map((line) => [line.id, line]));
  return items.map(({ position, line_id }) => {
    const [row, line] = [rowAt.get(position), lineOf.get(line_id ?? '')];
    if (!line) return fail('LINE_NOT_FOUND');
    if (!row?.after) return fail('LINE_CHANGED_SINCE');
    // An import made the lines that were not there before, and extended the others.
    const isMade = row.before === null && makesLines.includes(row.action);
    const isUntouched = isMade && line.is_undelivered;
    const isAsLeft = isUnchanged(line, row.after) && (!isMade || line.is_as_made);
    if (!isAsLeft && !isUntouched) return fail('LINE_CHANGED_SINCE');
    const before = isMade ? null : (lineFields(row.before ?? {}) as Before);
    return { position, line, before, isUntouched, transfer_id: row.transfer_id, cost: row.cost };
  });
}

/**
 * Lines of a job, at these positions or all, whose paid sale or renewal can be undone, and that their servers have taken
 * since. Customers had them for nothing if all comes back, so that they are limited by the day.
 */
export async function countDelivered(
  db: Db,
  job_id: string,
  positions: readonly number[] | null = null,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from job_items item
        join users line on line.id = item.line_id
        join jobs job on job.id = item.job_id
      where job_id = ${job_id} and item.state = 'done' and item.transfer_id is not null
        and (${positions}::integer[] is null or position = any(${positions}::integer[]))
        and (before is not null or line.updated_at = line.created_at)
        and exists (select from line_pushes push
          where push.line_id = line.id and ok and operation <> 'delete'
            and push.created_at >= job.created_at)`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Deletes the lines that the job made, and restores the others as they were before it. */
async function takeBack(
  tx: Tx,
  acting: ActingAccount,
  undoneJobId: string,
  rows: readonly UndoneRow[],
): Promise<Map<number, Plan>> {
  const made = rows.filter(({ before }) => before === null);
  await removeLines(
    tx,
    made.map(({ line }) => line.id),
  );
  const plans = new Map(made.map(({ position, line }) => [position, planDeletion(line)]));
  const isElsewhere = rows.some(({ before }) => before?.server_id ?? before?.host_port);
  const servers = isElsewhere ? await readReached(tx) : new Map();
  for (const { position, line, before } of rows) {
    if (before) plans.set(position, await putBack(tx, acting, line, before, servers, undoneJobId));
  }
  return plans;
}

/**
 * Undoes rows of a job: deletes the lines that it made, restores the others, and refunds what was paid, once no card server
 * has more of a line than that. Throws a Refusal if one of them is not to be undone; then nothing is done.
 */
export async function undoRows(
  tx: Tx,
  acting: ActingAccount,
  undo: JobRow & { undo_of: string },
  items: readonly WaitingItem[],
): Promise<Outcome[]> {
  const locked = await lockRows(tx, acting, undo.undo_of, items);
  const [untouched, rows] = [
    locked.filter(({ isUntouched }) => isUntouched),
    locked.filter(({ isUntouched }) => !isUntouched),
  ];
  const refunded = await takeBackUndelivered(
    tx,
    acting.actor.id,
    untouched.map(({ line }) => line.id),
    undo.id,
  );
  const delivered = await countDelivered(
    tx,
    undo.undo_of,
    rows.map(({ position }) => position),
  );
  const plans = await takeBack(tx, acting, undo.undo_of, rows);
  const costly = rows.filter(({ before, transfer_id }) => before === null || transfer_id);
  const awaited = await findAwaited(
    tx,
    costly.map(({ line }) => line),
  );
  const given = await refundAll(
    tx,
    undo,
    rows.flatMap(({ line, transfer_id }) => (awaited.has(line.id) ? [] : (transfer_id ?? []))),
  );
  await countUndone(tx, acting.actor, delivered);
  const takenBack = untouched.map(({ position, line }): Outcome => {
    const cost = -(refunded.get(line.id) ?? 0) || 0;
    return { ...planDeletion(line), position, state: 'done', transfer_id: null, cost };
  });
  const undone = rows.map(({ position, line, transfer_id, cost }): Outcome => {
    const { before, after } = plans.get(position) ?? { before: null, after: null };
    const row = { position, before, after, transfer_id: null };
    const awaits = awaited.get(line.id);
    if (awaits) {
      const owed = transfer_id ? cost : 0;
      return { ...row, state: 'waiting', cost: 0, input: { transfer_id, owed, awaits } };
    }
    const back = transfer_id ? given.get(transfer_id) : 0;
    return {
      ...row,
      state: 'done',
      cost: -(back ?? 0) || 0,
      ...(back === undefined && { error: alreadyRefunded }),
    };
  });
  return [...takenBack, ...undone];
}
