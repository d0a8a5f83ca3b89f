import { setTimeout as sleep } from 'node:timers/promises';
import { monthsToCover } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import { type Db, type Tx, transact } from '../../../db/transaction.ts';
import { countUndone } from '../../../domain/accounts/daily-limits.ts';
import { lineScope } from '../../../domain/context/access.ts';
import type { Services } from '../../../domain/context/context.ts';
import { refundAll } from '../../../domain/credits/refund.ts';
import { pushNow } from '../../../domain/delivery/pushes.ts';
import { removeLines } from '../../../domain/delivery/settle.ts';
import { readReached } from '../../../domain/lines/changed-addresses.ts';
import { isDue, isFormer, mayBeThere } from '../../../domain/machines/server-accounts.ts';
import { chooseServer, reserveCapacity } from '../../../domain/machines/servers.ts';
import { deadline } from '../../../platform/clock.ts';
import { fail, failField } from '../../../platform/errors/refusal.ts';
import { refuseMoveByOthers } from '../change/assign-line.ts';
import { changeLines, changeOf } from '../change/change-row.ts';
import { type LineUpdate, type LockedLine, lockingLines } from '../change/locked-line.ts';
import { isUnchanged, lineFields, type Plan, planChange, planDeletion } from '../change/plan.ts';
import { mayComeBack } from '../change/renewal.ts';
import { suspensionGuard } from '../change/suspension.ts';
import { isUndelivered, takeBackUndelivered } from '../change/undo-line.ts';
import {
  type AwaitedRefund,
  alreadyRefunded,
  isAwaited,
  type JobRow,
  type Outcome,
  type WaitingItem,
} from '../jobs/job-items.ts';
import { makesLines } from '../jobs/jobs-store.ts';
import { type ActingAccount, costOf, readPayer } from '../price/price.ts';
import { checkTrialLimitOfOwner } from '../price/trial-limits.ts';

/** A worker waits as long for card servers before it leaves the job to a later run. */
const WAIT_MS = 6000;
const POLL_MS = 100;
const AT_ONCE = 20;

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
async function refuseForbidden(
  tx: Tx,
  acting: ActingAccount,
  line: LockedLine,
  { server_id, owner_id, expiry_date }: Before,
): Promise<void> {
  const { actor } = acting;
  refuseMoveByOthers(actor, { server_id, owner_id });
  if (expiry_date === undefined || actor.is_admin) return;
  const owed = costOf(await readPayer(tx, acting), monthsToCover(line.expiry_date, expiry_date));
  if (owed > 0) failField('expiry_date', 'INVALID_EXPIRY_DATE');
  if (!mayComeBack(acting, expiry_date)) fail('UNDO_WOULD_EXPIRE');
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

/** Deletes the lines that the job made, and restores the others as they were before it; returns the plan of each. */
async function takeBack(
  tx: Tx,
  acting: ActingAccount,
  undone_job_id: string,
  rows: readonly UndoneRow[],
): Promise<(UndoneRow & { plan: Plan })[]> {
  const isElsewhere = rows.some(({ before }) => before?.server_id ?? before?.host_port);
  const servers = isElsewhere ? await readReached(tx) : new Map();
  const refuseToOverrule = suspensionGuard(tx, acting.actor);
  const planned: (UndoneRow & { plan: Plan })[] = [];
  for (const row of rows) {
    const { line, before } = row;
    if (before) await refuseForbidden(tx, acting, line, before);
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
  await changeLines(tx, changed.map(changeOf), { undone_job_id });
  for (const { line, before } of changed) {
    if (before?.is_trial === true) await checkTrialLimitOfOwner(tx, acting, line.owner_id);
  }
  return planned;
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
  const planned = await takeBack(tx, acting, undo.undo_of, rows);
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
  const undone = planned.map(({ position, line, transfer_id, cost, plan }): Outcome => {
    const row = { ...plan, position, transfer_id: null };
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

/** What waits for card servers in a row of an undo. */
interface AwaitingRow {
  position: number;
  input: AwaitedRefund;
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

/** Refunds up to 20 rows whose accounts are as they were before. False if there are none. */
async function refundSome(db: Db, job: JobRow): Promise<boolean> {
  return transact(db, async (tx) => {
    const { rows } = await sql<AwaitingRow>`
      select position, input from job_items
        where job_id = ${job.id} and state = 'waiting' and ${isAwaited} and not ${isNotTaken}
        order by position limit ${AT_ONCE} for update skip locked`.execute(tx);
    const given = await refundAll(
      tx,
      job,
      rows.flatMap(({ input }) => input.transfer_id ?? []),
    );
    for (const { position, input } of rows) {
      const back = input.transfer_id === null ? 0 : given.get(input.transfer_id);
      const error = back === undefined ? JSON.stringify(alreadyRefunded) : null;
      await sql`
        update job_items set state = 'done', cost = ${-(back ?? 0)}, error = ${error}::jsonb, input = null
          where job_id = ${job.id} and position = ${position}`.execute(tx);
    }
    return rows.length > 0;
  });
}

async function readAwaited(db: Db, jobId: string): Promise<AwaitingRow[]> {
  const { rows } = await sql<AwaitingRow>`
    select position, input from job_items
      where job_id = ${jobId} and state = 'waiting' and ${isAwaited}
      order by position limit ${AT_ONCE}`.execute(db);
  return rows;
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
    const waiting = await readAwaited(db, job.id);
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
