import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Db, type Tx, transact } from '../../../db/transaction.ts';
import { notifyOwnersOfJob } from '../../../domain/lines/changed-addresses.ts';
import { keepWaits } from '../../../domain/lines/jobs.ts';
import { catchRefusal, Refusal } from '../../../platform/errors/refusal.ts';
import { itemError } from '../change/plan.ts';
import { importNext } from '../import/import-run.ts';
import { auditRows } from '../jobs/audit-rows.ts';
import { holdActingAccount, type JobServices } from '../jobs/job-account.ts';
import { lockItems, markItems, type Outcome, type WaitingItem } from '../jobs/job-items.ts';
import type { JobRow } from '../jobs/jobs-store.ts';
import { renewAll } from '../jobs/renew-all.ts';
import type { ActingAccount } from '../price/price.ts';
import { applyRow } from './apply-row.ts';
import { refundTaken } from './taken-back.ts';
import { undoRows } from './undo-rows.ts';

/** Minimum time in milliseconds between two progress updates. */
const TOUCHED_EVERY_MS = 300;
const ROWS_AT_ONCE = 20;

async function markFailed(
  db: Db,
  job_id: string,
  position: number,
  refusal: Refusal,
): Promise<void> {
  await transact(db, async (tx) => {
    const item = await tx
      .selectFrom('job_items')
      .select('position')
      .where('job_id', '=', job_id)
      .where('position', '=', position)
      .where('state', '=', 'waiting')
      .forUpdate()
      .executeTakeFirst();
    // Undefined if the job was cancelled meanwhile, which skips its rows.
    if (item)
      await markItems(tx, job_id, [{ position, state: 'failed', error: itemError(refusal) }]);
  });
}

/**
 * Carries out one row and marks it done in the same transaction, so that it happens exactly once.
 * False if no row is left.
 */
async function doNextRow(services: JobServices, job: JobRow): Promise<boolean> {
  const { db } = services;
  const at: { position: number | null } = { position: null };
  try {
    return await transact(db, async (tx) => {
      // The account is locked before any row, which another change of the account may wait for.
      const acting = await catchRefusal(() => holdActingAccount(tx, services, job.account_id));
      const [item] = await lockItems(tx, job.id, 1);
      at.position = item?.position ?? null;
      if (!item) return false;
      if (acting instanceof Refusal) throw acting;
      const { undo_of } = job;
      const outcomes = undo_of
        ? await undoRows(tx, acting, { ...job, undo_of }, [item])
        : [await applyRow(tx, acting, job, item)];
      await markItems(tx, job.id, outcomes);
      await auditRows(tx, job, doneRows([item], outcomes));
      return true;
    });
  } catch (error) {
    if (!(error instanceof Refusal) || at.position === null) throw error;
    await markFailed(db, job.id, at.position, error);
    return true;
  }
}

function doneRows(items: readonly WaitingItem[], outcomes: readonly Outcome[]) {
  const byPosition = new Map(items.map((item) => [item.position, item]));
  return outcomes.flatMap(({ state, position, ...done }) => {
    const item = byPosition.get(position);
    return state !== 'failed' && item?.line_id ? [{ ...item, ...done, line_id: item.line_id }] : [];
  });
}

/** Carries out several rows together, with ten statements in total instead of ten for each. */
type Together = (
  tx: Tx,
  acting: ActingAccount,
  job: JobRow,
  items: readonly WaitingItem[],
) => Promise<Outcome[]>;

/** Undefined for what is done row by row. */
function togetherOf({ action, undo_of }: JobRow): Together | undefined {
  if (action === 'renew') {
    return (tx, acting, job, items) => renewAll(tx, acting, job.id, items, job.arguments);
  }
  return undo_of
    ? (tx, acting, job, items) => undoRows(tx, acting, { ...job, undo_of }, items)
    : undefined;
}

/**
 * Carries out several rows in one transaction. If that is refused, for example because not all can be
 * paid, nothing is done and the rows are tried one by one.
 */
async function doNextTogether(
  services: JobServices,
  job: JobRow,
  together: Together,
): Promise<boolean | 'refused'> {
  try {
    return await transact(services.db, async (tx) => {
      const acting = await holdActingAccount(tx, services, job.account_id);
      const items = await lockItems(tx, job.id, ROWS_AT_ONCE);
      if (items.length === 0) return false;
      const outcomes = await together(tx, acting, job, items);
      await markItems(tx, job.id, outcomes);
      await auditRows(tx, job, doneRows(items, outcomes));
      return true;
    });
  } catch (error) {
    if (error instanceof Refusal) return 'refused';
    throw error;
  }
}

/**
 * Ends the job unless another worker still has a row; then that worker ends it. Whoever ends it tells
 * the owners whose customers must enter another address.
 */
async function end(db: Db, jobId: string): Promise<void> {
  await transact(db, async (tx) => {
    const ended = await tx
      .updateTable('jobs')
      .set({ state: 'done', finished_at: sql`now()`, updated_at: sql`now()` })
      .where('id', '=', jobId)
      .where('state', '=', 'running')
      .where(sql<boolean>`not exists (
        select from job_items where job_id = jobs.id and state = 'waiting')`)
      .returning('account_id')
      .executeTakeFirst();
    if (!ended) return;
    await keepWaits(tx, jobId);
    await notifyOwnersOfJob(tx, jobId, ended.account_id);
  });
}

async function touchJob(db: Db, jobId: string): Promise<void> {
  await db.updateTable('jobs').set({ updated_at: sql`now()` }).where('id', '=', jobId).execute();
}

async function runRows(services: JobServices, job: JobRow, stopping: AbortSignal): Promise<void> {
  let touchedAt = performance.now();
  let oneByOne = 0;
  const together = togetherOf(job);
  for (;;) {
    const didSome =
      job.action === 'import'
        ? await importNext(services, job)
        : together && oneByOne-- <= 0
          ? await doNextTogether(services, job, together)
          : await doNextRow(services, job);
    if (didSome === false) return;
    if (didSome === 'refused') oneByOne = ROWS_AT_ONCE;
    stopping.throwIfAborted();
    if (performance.now() - touchedAt >= TOUCHED_EVERY_MS) {
      await touchJob(services.db, job.id);
      touchedAt = performance.now();
    }
    // The embedded database would otherwise block all other requests.
    await setImmediate();
  }
}

/**
 * Carries out the remaining rows of a job. Throws if it cannot continue, for example without the
 * database; the next run resumes it.
 */
export async function runJob(
  services: JobServices,
  jobId: string,
  stopping: AbortSignal,
): Promise<void> {
  stopping.throwIfAborted();
  const job = await services.db
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', jobId)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirst();
  if (!job) return;
  await runRows(services, job, stopping);
  if (job.undo_of) await refundTaken(services, job, stopping);
  await end(services.db, jobId);
}
