import { setTimeout as sleep } from 'node:timers/promises';
import { monthsToCover } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import type { JobItemError } from '../../../db/schema/job-schema.ts';
import { type Db, type Tx, transact } from '../../../db/transaction.ts';
import { countUndone } from '../../../domain/accounts/daily-limits.ts';
import { lineScope } from '../../../domain/context/access.ts';
import type { Services } from '../../../domain/context/context.ts';
import { readPaymentsOf, refundAll } from '../../../domain/credits/refund.ts';
import { pushNow } from '../../../domain/delivery/pushes.ts';
import { removeLines } from '../../../domain/delivery/settle.ts';
import { readReached } from '../../../domain/lines/changed-addresses.ts';
import { isDue, isFormer, mayBeThere } from '../../../domain/machines/server-accounts.ts';
import { chooseServer, reserveCapacity } from '../../../domain/machines/servers.ts';
import { deadline } from '../../../platform/clock.ts';
import { fail, failField } from '../../../platform/errors/refusal.ts';
import { changeLines } from '../change/carry-out.ts';
import { type LineUpdate, type LockedLine, lockingLines } from '../change/locked-line.ts';
import { refuseMoveByOthers } from '../change/move.ts';
import { isUnchanged, lineFields, type Plan, planChange, planDeletion } from '../change/plan.ts';
import { mayComeBack } from '../change/renewal.ts';
import { suspensionGuard } from '../change/suspension.ts';
import {
  type AwaitedRefund,
  isAwaited,
  type JobRow,
  type Outcome,
  type WaitingItem,
} from '../jobs/job-items.ts';
import { isMade, isUndelivered, isUndoable } from '../jobs/jobs-store.ts';
import { type ActingAccount, costOf, type Payer, readPayer } from '../price/price.ts';
import { checkTrialLimitOfOwner } from '../price/trial-limits.ts';

/** A worker waits as long for card servers before it leaves the job to a later run. */
const WAIT_MS = 6000;
const POLL_MS = 100;
const AT_ONCE = 20;

const alreadyRefunded: JobItemError = { code: 'ALREADY_REFUNDED', data: {}, field: null };

/** The earlier values that a line is restored to. */
type Before = Pick<
  LineUpdate,
  'server_id' | 'owner_id' | 'host_port' | 'expiry_date' | 'is_trial' | 'suspension'
>;

/**
 * Checks undo by the rules of the change that it makes: an account that is no administrator any more
 * can neither move a line nor give it a later date for nothing. Throws ADMIN_ONLY_FIELD, INVALID_EXPIRY_DATE and
 * UNDO_WOULD_EXPIRE.
 */
function refuseForbidden(
  payer: Payer,
  line: LockedLine,
  { server_id, owner_id, expiry_date }: Before,
): void {
  const { actor } = payer;
  refuseMoveByOthers(actor, { server_id, owner_id });
  if (expiry_date === undefined || actor.is_admin) return;
  const owed = costOf(payer, monthsToCover(line.expiry_date, expiry_date));
  if (owed > 0) failField('expiry_date', 'INVALID_EXPIRY_DATE');
  if (!mayComeBack(payer, expiry_date)) fail('UNDO_WOULD_EXPIRE');
}

/**
 * Checks that servers take all lines that come back to them. Throws NO_ACTIVE_CCCAM_SERVERS, SERVER_NOT_FOUND,
 * SERVER_CLOSED and SERVER_FULL.
 */
async function reservePlaces(tx: Tx, rows: readonly UndoneRow[]): Promise<void> {
  const ids = rows.flatMap(({ before }) => before?.server_id ?? []);
  for (const [id, lines] of Map.groupBy(ids.sort(), (id) => id)) {
    const server = await chooseServer(tx, id, 'NO_ACTIVE_CCCAM_SERVERS');
    await reserveCapacity(tx, server, lines.length, 'server_id');
  }
}

/** A line to undo, in a row of a job or by itself. */
interface UndoneRow {
  position: number;
  line: LockedLine;
  /** null if the line is deleted; else the earlier values that it is restored to. */
  before: Before | null;
  /** No card server ever had it, so that a trial does not count. */
  isUntouched: boolean;
  /** Payments that come back: of a line that a card server had, one at most. */
  payments: readonly { id: string; amount: number }[];
}

/** Locks lines in order of their ids, as every job does, and keeps card servers from getting one that they have not got. */
async function lockLines(tx: Tx, { actor }: ActingAccount, ids: readonly string[]) {
  const lines = lockingLines(tx, lineScope(actor), ids);
  await lines.execute();
  await sql`select from server_accounts where of_line = any(${ids}::uuid[]) and not ${mayBeThere}
    order by server_id, username for update`.execute(tx);
  // Asked once the locks are held, as one may have been delivered during the wait.
  return lines.select(isUndelivered.as('is_undelivered')).execute();
}

/** Locks the lines of a job's rows. Throws LINE_NOT_FOUND and LINE_CHANGED_SINCE. */
async function lockRows(
  tx: Tx,
  acting: ActingAccount,
  undoneJobId: string,
  items: readonly WaitingItem[],
): Promise<UndoneRow[]> {
  const ids = items.flatMap(({ line_id }) => line_id ?? []);
  const positions = items.map(({ position }) => position);
  const lines = new Map((await lockLines(tx, acting, ids)).map((line) => [line.id, line]));
  const paid = Map.groupBy(await readPaymentsOf(tx, ids), ({ line_id }) => line_id);
  const rows = await tx
    .selectFrom('job_items')
    .innerJoin('jobs', 'jobs.id', 'job_items.job_id')
    .innerJoin('users', 'users.id', 'job_items.line_id')
    .select(['position', 'before', 'after', 'transfer_id'])
    .select([isMade.as('is_made'), isUndoable.as('is_undoable')])
    .where('job_id', '=', undoneJobId)
    // By the key, because a job may have 20,000 rows.
    .where(sql<boolean>`position = any(${positions}::integer[])`)
    .execute();
  const rowAt = new Map(rows.map((row) => [row.position, row]));
  return items.map(({ position, line_id }) => {
    const [row, line] = [rowAt.get(position), lines.get(line_id ?? '')];
    if (!row || !line) return fail('LINE_NOT_FOUND');
    const { is_made, is_undoable, transfer_id } = row;
    const isUntouched = is_made && line.is_undelivered;
    const isAsLeft = isUntouched || (row.after !== null && isUnchanged(line, row.after));
    if (!is_undoable || !isAsLeft) fail('LINE_CHANGED_SINCE');
    const before = is_made ? null : (lineFields(row.before ?? {}) as Before);
    const payments = paid.get(line.id)?.filter(({ id }) => is_made || id === transfer_id) ?? [];
    return { position, line, before, isUntouched, payments };
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
    select count(*)::integer as count from job_items
        join users on users.id = job_items.line_id
        join jobs on jobs.id = job_items.job_id
      where job_id = ${job_id} and job_items.state = 'done' and transfer_id is not null
        and (${positions}::integer[] is null or position = any(${positions}::integer[]))
        and ${isUndoable}
        and exists (select from line_pushes push
          where push.line_id = users.id and ok and operation <> 'delete'
            and push.created_at >= jobs.created_at)`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * The accounts on card servers by which lines that an undo has just changed or deleted still have what was paid for, by
 * id of their line. `lines` are as they were before.
 */
async function findAwaited(
  tx: Tx,
  lines: readonly Pick<LockedLine, 'id' | 'server_id' | 'username'>[],
): Promise<Map<string, AwaitedRefund['awaits']>> {
  const named = lines.map(({ id, server_id, username }) => ({ id, server_id, username }));
  const { rows } = await sql<{ line_id: string; accounts: AwaitedRefund['awaits'] }>`
    with line as (select * from jsonb_to_recordset(${JSON.stringify(named)}::jsonb)
        as line (id uuid, server_id uuid, username text)),
    account as (
      select line.id as line_id, server_accounts.* from line
        join server_accounts using (server_id, username)
      union select line.id, server_accounts.* from line
        join server_accounts on ${isFormer()} and wanted ->> 'line_id' = line.id::text
      union select line.id, server_accounts.* from line
        join server_accounts on left_password is not null and left_password ->> 'line_id' = line.id::text
          and wanted is null)
    select line_id, jsonb_agg(jsonb_build_object('server_id', server_accounts.server_id,
        'username', server_accounts.username, 'revision', server_accounts.revision)) as accounts
      from account server_accounts
      where ${isDue} and ${mayBeThere}
      group by line_id`.execute(tx);
  return new Map(rows.map(({ line_id, accounts }) => [line_id, accounts]));
}

/** The account that undoes, its job, and the job that it undoes; a line by itself is undone in none. */
type Undoing = Pick<JobRow, 'account_id'> & { id: string | null; undo_of?: string };

/** Deletes lines, or restores them as they were before; returns the plan of each. */
async function takeBack(
  tx: Tx,
  acting: ActingAccount,
  { undo_of }: Undoing,
  rows: readonly UndoneRow[],
): Promise<(UndoneRow & { plan: Plan })[]> {
  const isElsewhere = rows.some(({ before }) => before?.server_id ?? before?.host_port);
  const servers = isElsewhere ? await readReached(tx) : new Map();
  const payer = await readPayer(tx, acting);
  const refuseToOverrule = suspensionGuard(tx, acting.actor);
  const planned: (UndoneRow & { plan: Plan })[] = [];
  for (const row of rows) {
    const { line, before } = row;
    if (before) refuseForbidden(payer, line, before);
    if (before?.suspension !== undefined) await refuseToOverrule(line);
    const plan = before ? planChange(line, before as LineUpdate, servers) : planDeletion(line);
    planned.push({ ...row, plan });
  }
  await reservePlaces(tx, rows);
  const made = planned.filter(({ before }) => before === null);
  const changed = planned.filter(({ before }) => before !== null);
  await removeLines(
    tx,
    made.map(({ line }) => line.id),
  );
  const untouched = made.flatMap(({ line, isUntouched }) => (isUntouched ? line.id : []));
  await sql`delete from trials_made where line_id = any(${untouched}::uuid[])`.execute(tx);
  await changeLines(tx, changed, undo_of);
  for (const { line, before } of changed) {
    if (before?.is_trial === true) await checkTrialLimitOfOwner(tx, acting, line.owner_id);
  }
  return planned;
}

/** Cost of a row whose payments have come back, and its error if one of them had come back before. */
function refunded(given: ReadonlyMap<string, number>, ids: readonly string[]) {
  const back = ids.map((id) => given.get(id));
  return {
    cost: -back.reduce<number>((sum, amount = 0) => sum + amount, 0) || 0,
    error: back.includes(undefined) ? alreadyRefunded : null,
  };
}

/**
 * Undoes lines, and refunds what was paid, once no card server has more of a line than that. Throws SUSPENDED_FROM_ABOVE,
 * TRIAL_LIMIT_REACHED, and what `refuseForbidden`, `reservePlaces` and `changeLines` throw.
 */
async function undoLines(
  tx: Tx,
  acting: ActingAccount,
  undoing: Undoing,
  rows: readonly UndoneRow[],
): Promise<Outcome[]> {
  const planned = await takeBack(tx, acting, undoing, rows);
  const served = rows.filter(({ isUntouched }) => !isUntouched);
  const costly = served.filter(({ before, payments }) => before === null || payments.length > 0);
  const awaited = await findAwaited(
    tx,
    costly.map(({ line }) => line),
  );
  const free = rows.filter(({ line }) => !awaited.has(line.id));
  const given = await refundAll(
    tx,
    undoing,
    free.flatMap(({ payments }) => payments.map(({ id }) => id)),
  );
  return planned.map(({ position, line, payments, plan }): Outcome => {
    const row = { ...plan, position, transfer_id: null };
    const awaits = awaited.get(line.id);
    const ids = payments.map(({ id }) => id);
    if (!awaits) return { ...row, state: 'done', ...refunded(given, ids) };
    // What waits has one payment at most, as only what no card server has is undone with the others.
    if (ids.length > 1) fail('LINE_CHANGED_SINCE');
    const [transfer_id, owed] = [payments[0]?.id ?? null, payments[0]?.amount ?? 0];
    return { ...row, state: 'waiting', cost: 0, input: { transfer_id, owed, awaits } };
  });
}

/**
 * Undoes rows of a job, all or none. Throws LINE_NOT_FOUND, LINE_CHANGED_SINCE, UNDO_LIMIT_REACHED and what `undoLines`
 * throws.
 */
export async function undoRows(
  tx: Tx,
  acting: ActingAccount,
  undo: JobRow & { undo_of: string },
  items: readonly WaitingItem[],
): Promise<Outcome[]> {
  const rows = await lockRows(tx, acting, undo.undo_of, items);
  const positions = rows.map(({ position }) => position);
  const delivered = await countDelivered(tx, undo.undo_of, positions);
  const outcomes = await undoLines(tx, acting, undo, rows);
  await countUndone(tx, acting.actor, delivered);
  return outcomes;
}

/**
 * Undoes a line that no card server ever had, whatever job made it, for who paid or an administrator. Returns its name and
 * the credits that came back. Throws LINE_NOT_FOUND and LINE_NOT_UNDOABLE.
 */
export async function undoUntouched(tx: Tx, acting: ActingAccount, id: string) {
  const { actor } = acting;
  const [line = fail('LINE_NOT_FOUND')] = await lockLines(tx, acting, [id]);
  const payments = await readPaymentsOf(tx, [id]);
  const isPayer = payments.length === 0 || payments.some(({ from_id }) => from_id === actor.id);
  if (!line.is_undelivered || !(isPayer || actor.is_admin)) fail('LINE_NOT_UNDOABLE');
  const row = { position: 1, line, before: null, isUntouched: true, payments };
  const [undone] = await undoLines(tx, acting, { id: null, account_id: actor.id }, [row]);
  return { username: line.username, refunded: -(undone?.cost ?? 0) };
}

/**
 * SQL condition: the card server has not taken an awaited change. One whose row is gone, or was made again since, has
 * taken it; one that refused every attempt never had the account.
 */
const isNotTaken = sql<boolean>`exists (
  select from jsonb_to_recordset(input -> 'awaits') as awaited (server_id uuid, username text, revision bigint)
    join server_accounts using (server_id, username)
    where server_accounts.revision >= awaited.revision
      and server_accounts.synced_revision < awaited.revision and ${mayBeThere})`;

/** The next rows of an undo that wait for card servers. */
const awaitingRows = (db: Db, jobId: string) =>
  db
    .selectFrom('job_items')
    .select(['position', sql<AwaitedRefund>`input`.as('input')])
    .where('job_id', '=', jobId)
    .where('state', '=', 'waiting')
    .where(isAwaited)
    .orderBy('position')
    .limit(AT_ONCE);

const paidFor = ({ input: { transfer_id } }: { input: AwaitedRefund }) =>
  transfer_id === null ? [] : [transfer_id];

/** Refunds up to 20 rows whose accounts are as they were before. False if there are none. */
async function refundSome(db: Db, job: JobRow): Promise<boolean> {
  return transact(db, async (tx) => {
    const taken = awaitingRows(tx, job.id).where(sql<boolean>`not ${isNotTaken}`);
    const rows = await taken.forUpdate().skipLocked().execute();
    const given = await refundAll(tx, job, rows.flatMap(paidFor));
    for (const row of rows) {
      const { cost, error } = refunded(given, paidFor(row));
      await tx
        .updateTable('job_items')
        .set({ state: 'done', cost, error: error && JSON.stringify(error), input: null })
        .where('job_id', '=', job.id)
        .where('position', '=', row.position)
        .execute();
    }
    return rows.length > 0;
  });
}

/**
 * Ends the rows of an undo whose card servers have taken the change, and gives back what is owed for them: nothing is
 * refunded that still works there. Waits for them a while; rows that wait longer are left to a later run.
 */
export async function refundTaken(
  services: Services,
  job: JobRow,
  stopping: AbortSignal,
): Promise<void> {
  const { db } = services;
  const time = deadline(WAIT_MS);
  for (let isFirst = true; ; isFirst = false) {
    while (await refundSome(db, job)) stopping.throwIfAborted();
    const waiting = await awaitingRows(db, job.id).execute();
    if (waiting.length === 0 || time.isOver()) return;
    if (isFirst) {
      const accounts = waiting.flatMap(({ input }) => input.awaits);
      await Promise.all(
        accounts.map(({ server_id, username }) => pushNow(services, server_id, username)),
      );
    } else await sleep(POLL_MS, undefined, { signal: stopping });
    stopping.throwIfAborted();
  }
}
