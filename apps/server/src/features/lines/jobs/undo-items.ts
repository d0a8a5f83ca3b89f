import { type Day, monthsToCover } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../db/transaction.ts';
import { countUndone } from '../../../domain/accounts/daily-limits.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { charge, type Sale } from '../../../domain/credits/charge.ts';
import { readPaymentsOf } from '../../../domain/credits/refund.ts';
import { removeLines } from '../../../domain/delivery/settle.ts';
import { readReached } from '../../../domain/lines/changed-addresses.ts';
import { removeEntries } from '../../../domain/lines/payments.ts';
import { readPlaces } from '../../../domain/lines/places.ts';
import { mayBeThere } from '../../../domain/machines/server-accounts.ts';
import {
  chooseServer,
  isPlace,
  type Places,
  reserveCapacity,
} from '../../../domain/machines/servers.ts';
import { fail, failField } from '../../../platform/errors/refusal.ts';
import { changeLines } from '../change/carry-out.ts';
import { type LineUpdate, type LockedLine, lockingLines } from '../change/locked-line.ts';
import { refuseMoveByOthers } from '../change/move.ts';
import { isUnchanged, lineFields, type Plan, planChange, planDeletion } from '../change/plan.ts';
import { mayComeBack } from '../change/renewal.ts';
import { suspensionGuard } from '../change/suspension.ts';
import { type ActingAccount, costOf, type Payer, readPayer } from '../price/price.ts';
import { checkTrialLimitOfOwner } from '../price/trial-limits.ts';
import { findAwaited, giveBack } from './awaited-refunds.ts';
import type { CarryOut, Item, Outcome, StoredJob } from './job-items.ts';
import { countDelivered, isMade, isUndelivered, isUndoable } from './undoable.ts';

/** The earlier values to which the undo restores a line. */
type Before = Pick<
  LineUpdate,
  'server_id' | 'plan_id' | 'owner_id' | 'host_port' | 'expiry_date' | 'is_trial' | 'suspension'
>;

/** A line to undo, as an item of a job or alone. */
interface UndoneLine {
  item: Item;
  line: LockedLine;
  /** The values that the undo restores; null if it deletes the line. */
  before: Before | null;
  /** True if no card server ever had the line, so that a trial of it does not count. */
  isUntouched: boolean;
  /** Payments to refund; for a line that a card server had, at most one. */
  payments: readonly { id: string; amount: number }[];
  /** Credits that the change refunded, which have to be paid again. */
  given: number;
}

/**
 * Checks the rules for the changes that an undo makes: an account that is no longer an administrator can neither move a
 * line nor give it a later date free of charge. Throws ADMIN_ONLY_FIELD, INVALID_EXPIRY_DATE and UNDO_WOULD_EXPIRE.
 */
function refuseForbidden(
  payer: Payer,
  line: LockedLine,
  { server_id, plan_id, owner_id, expiry_date }: Before,
): void {
  const { actor } = payer;
  // Sellers may move a line only by a change of its plan.
  if (plan_id === undefined) refuseMoveByOthers(actor, { server_id, owner_id });
  if (expiry_date === undefined || actor.is_admin) return;
  const owed = costOf(payer, monthsToCover(line.expiry_date, expiry_date), line.plan_id);
  if (owed > 0) failField('expiry_date', 'INVALID_EXPIRY_DATE');
  if (!mayComeBack(payer, expiry_date)) fail('UNDO_WOULD_EXPIRE');
}

/**
 * Checks that the former plan of a line still exists and has its former server. Throws
 * PLAN_NOT_FOUND and SERVER_NOT_OF_PLAN.
 */
function refuseFormerPlan(
  places: ReadonlyMap<string, Places>,
  line: LockedLine,
  { plan_id, server_id = line.server_id }: Before,
): void {
  if (plan_id === undefined) return;
  const plan = places.get(plan_id) ?? fail('PLAN_NOT_FOUND');
  if (!isPlace(plan, server_id)) failField('server_id', 'SERVER_NOT_OF_PLAN');
}

/**
 * Checks that servers accept all lines that are restored to them. Throws NO_ACTIVE_CCCAM_SERVERS,
 * SERVER_NOT_FOUND, SERVER_CLOSED and SERVER_FULL.
 */
async function reservePlaces(tx: Tx, lines: readonly UndoneLine[]): Promise<void> {
  const ids = lines.flatMap(({ before }) => before?.server_id ?? []);
  for (const [id, back] of Map.groupBy(ids.sort(), (id) => id)) {
    const server = await chooseServer(tx, id, 'NO_ACTIVE_CCCAM_SERVERS');
    await reserveCapacity(tx, server, back.length, 'server_id');
  }
}

/** Locks lines in the order of their ids, as every job does, and prevents the delivery of undelivered ones. */
async function lockLines(tx: Tx, { actor }: ActingAccount, ids: readonly string[]) {
  const lines = lockingLines(tx, lineScope(actor), ids);
  await lines.execute();
  await sql`select from server_accounts where of_line = any(${ids}::uuid[]) and not ${mayBeThere}
    order by server_id, username for update`.execute(tx);
  // The state is read after the locks are held, because a line may have been delivered during the wait.
  return lines.select(isUndelivered.as('is_undelivered')).execute();
}

/**
 * SQL condition on an item of a job: a later change of plan was priced with the time that the item paid, or paid the item
 * back itself, which an undo of that change leaves so. An undo of the item would take time or credits away.
 */
const isPaidBack = sql<boolean>`(job_items.before is not null and exists (
  select from job_items later
    join jobs on jobs.id = later.job_id
    join jobs own on own.id = job_items.job_id
    where later.line_id = job_items.line_id and jsonb_exists(later.before, 'plan_id')
      and later.job_id <> job_items.job_id
      and later.state = 'done' and jobs.action = 'change_plan' and jobs.created_at >= own.created_at
      and (later.cost < 0 or not exists (select from jobs undo where undo.undo_of = jobs.id)))
  or exists (
    select from jobs own join credit_transfers refund on refund.refund_of = job_items.transfer_id
      where own.id = job_items.job_id and own.action = 'change_plan'))`;

/** Locks the lines of a job's items. Throws LINE_NOT_FOUND and LINE_CHANGED_SINCE. */
async function lockUndone(
  tx: Tx,
  acting: ActingAccount,
  undoneJobId: string,
  items: readonly Item[],
): Promise<UndoneLine[]> {
  const ids = items.flatMap(({ line_id }) => line_id ?? []);
  const positions = items.map(({ position }) => position);
  const lines = new Map((await lockLines(tx, acting, ids)).map((line) => [line.id, line]));
  const paid = Map.groupBy(await readPaymentsOf(tx, ids), ({ line_id }) => line_id);
  const done = await tx
    .selectFrom('job_items')
    .innerJoin('users', 'users.id', 'job_items.line_id')
    .select(['position', 'before', 'after', 'transfer_id', 'cost'])
    .select([isMade.as('is_made'), isUndoable.as('is_undoable'), isPaidBack.as('is_paid_back')])
    .where('job_id', '=', undoneJobId)
    // The items are read by their key, because a job may have 20,000 of them.
    .where(sql<boolean>`position = any(${positions}::integer[])`)
    .execute();
  const doneAt = new Map(done.map((one) => [one.position, one]));
  return items.map(({ position, line_id, username }) => {
    const [one, line] = [doneAt.get(position), lines.get(line_id ?? '')];
    if (!one || !line) return fail('LINE_NOT_FOUND');
    const { is_made, is_undoable, transfer_id } = one;
    const given = Math.max(0, -one.cost);
    const isUntouched = is_made && line.is_undelivered;
    const isAsLeft = isUntouched || (one.after !== null && isUnchanged(line, one.after));
    if (!is_undoable || !isAsLeft || one.is_paid_back) fail('LINE_CHANGED_SINCE');
    const before = is_made ? null : (lineFields(one.before ?? {}) as Before);
    const isPaid = (id: string) => is_made || (id === transfer_id && given === 0);
    const payments = paid.get(line.id)?.filter(({ id }) => isPaid(id)) ?? [];
    return { item: { position, line_id, username }, line, before, isUntouched, payments, given };
  });
}

/** The account that undoes, its job, and the job to undo; null if a line is undone outside a job. */
type Undoing = Pick<StoredJob, 'account_id' | 'undo_of'> & { id: string | null };

/** The sale with which credits that a change had refunded are paid again. */
function paidAgain({ line, given }: UndoneLine, today: Day): Sale[] {
  const { id: line_id, username, expiry_date } = line;
  const months = monthsToCover(today, expiry_date);
  return given === 0
    ? []
    : [{ kind: 'renewal', line_id, username, months, expiry_date, cost: given }];
}

/** Deletes lines, or restores their earlier values; returns the plan of each. */
async function takeBack(
  tx: Tx,
  acting: ActingAccount,
  { id, undo_of }: Undoing,
  undone: readonly UndoneLine[],
): Promise<(UndoneLine & { plan: Plan })[]> {
  const servers = await readReached(tx);
  const payer = await readPayer(tx, acting);
  const places = await readPlaces(tx);
  const refuseToOverrule = suspensionGuard(tx, acting.actor);
  const planned: (UndoneLine & { plan: Plan })[] = [];
  for (const one of undone) {
    const { line, before } = one;
    if (before) {
      refuseForbidden(payer, line, before);
      refuseFormerPlan(places, line, before);
    }
    if (before?.suspension !== undefined) await refuseToOverrule(line);
    const plan = before ? planChange(line, before as LineUpdate, servers) : planDeletion(line);
    planned.push({ ...one, plan });
  }
  await reservePlaces(tx, undone);
  const made = planned.filter(({ before }) => before === null);
  const changed = planned.filter(({ before }) => before !== null);
  const madeIds = made.map(({ line }) => line.id);
  await removeEntries(tx, undo_of, { made: madeIds, changed: changed.map(({ line }) => line.id) });
  await removeLines(tx, madeIds);
  const untouched = made.flatMap(({ line, isUntouched }) => (isUntouched ? line.id : []));
  await sql`delete from trials_made where line_id = any(${untouched}::uuid[])`.execute(tx);
  await changeLines(tx, changed, undo_of);
  await charge(
    tx,
    acting.actor,
    changed.flatMap((one) => paidAgain(one, payer.today)),
    id,
  );
  for (const { line, before } of changed) {
    if (before?.is_trial === true) await checkTrialLimitOfOwner(tx, acting, line.owner_id);
  }
  return planned;
}

/**
 * Undoes lines, and refunds their payments once no card server has a line beyond its restored state. Throws
 * SUSPENDED_FROM_ABOVE, TRIAL_LIMIT_REACHED, and the errors of `refuseForbidden`, `reservePlaces` and `changeLines`.
 */
async function undoLines(
  tx: Tx,
  acting: ActingAccount,
  undoing: Undoing,
  lines: readonly UndoneLine[],
): Promise<Outcome[]> {
  const planned = await takeBack(tx, acting, undoing, lines);
  const served = lines.filter(({ isUntouched }) => !isUntouched);
  const costly = served.filter(({ before, payments }) => before === null || payments.length > 0);
  const awaited = await findAwaited(
    tx,
    costly.map(({ line }) => line),
  );
  const free = lines.filter(({ line }) => !awaited.has(line.id));
  const given = await giveBack(
    tx,
    undoing,
    free.map(({ item: { position }, payments }) => {
      return { position, payments: payments.map(({ id }) => id) };
    }),
  );
  return planned.map(({ item, line, payments, given: cost, plan: { before, after } }): Outcome => {
    const undone = { ...item, before, after };
    if (cost > 0) return { ...undone, state: 'done', cost };
    const awaits = awaited.get(line.id);
    if (!awaits) return { ...undone, state: 'done', ...given.get(item.position) };
    // A line on a card server has one payment at most, because several are undone together only for
    // a line that no card server has.
    if (payments.length > 1) fail('LINE_CHANGED_SINCE');
    const [transfer_id, owed] = [payments[0]?.id ?? null, payments[0]?.amount ?? 0];
    return { ...undone, state: 'waiting', awaited: { transfer_id, owed, awaits } };
  });
}

/**
 * Undoes the lines of a job's items, all or none. Throws LINE_NOT_FOUND, LINE_CHANGED_SINCE, UNDO_LIMIT_REACHED and the
 * errors of `undoLines`.
 */
export const undoItems: CarryOut = async (tx, acting, undo, items) => {
  const undoneJobId = undo.undo_of ?? fail('CANNOT_UNDO');
  const lines = await lockUndone(tx, acting, undoneJobId, items);
  const positions = items.map(({ position }) => position);
  const delivered = await countDelivered(tx, undoneJobId, positions);
  const outcomes = await undoLines(tx, acting, undo, lines);
  await countUndone(tx, acting.actor, delivered);
  return outcomes;
};

/**
 * Undoes a line that no card server ever had, regardless of the job that created it, for the account that paid or an
 * administrator. Returns its name and the refunded credits. Throws LINE_NOT_FOUND and LINE_NOT_UNDOABLE.
 */
export async function undoUntouched(tx: Tx, acting: ActingAccount, id: string) {
  const { actor } = acting;
  const [line = fail('LINE_NOT_FOUND')] = await lockLines(tx, acting, [id]);
  const payments = await readPaymentsOf(tx, [id]);
  const isPayer = payments.length === 0 || payments.some(({ from_id }) => from_id === actor.id);
  if (!line.is_undelivered || !(isPayer || actor.is_admin)) fail('LINE_NOT_UNDOABLE');
  const { username } = line;
  const item = { position: 1, line_id: id, username };
  const undoing = { id: null, account_id: actor.id, undo_of: null };
  const alone = { item, line, before: null, isUntouched: true, payments, given: 0 };
  const [undone] = await undoLines(tx, acting, undoing, [alone]);
  return { username, refunded: -(undone?.cost ?? 0) };
}
