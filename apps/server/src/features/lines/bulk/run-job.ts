import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { Refusal } from '../../../core/refusal.ts';
import { type Db, transact } from '../../../db/transaction.ts';
import { applyRow } from './apply-row.ts';
import { runImport } from './import-run.ts';
import { type JobServices, readChanger } from './job-changer.ts';
import { lockItems, markItems } from './job-items.ts';
import type { JobRow } from './jobs-store.ts';
import { itemError } from './plan.ts';
import { renewAll } from './renew-all.ts';

/** Whoever watches is told this often at most. */
const TOLD_EVERY_MS = 300;
const RENEWALS_AT_ONCE = 20;

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
    // Cancelled meanwhile: then it was skipped.
    if (item)
      await markItems(tx, job_id, [{ position, state: 'failed', error: itemError(refusal) }]);
  });
}

/**
 * Does one row and marks it done in the same transaction: whatever happens, it is done once or not at
 * all. False where no row is left.
 */
async function doNextRow(services: JobServices, job: JobRow): Promise<boolean> {
  const { db } = services;
  const at: { position: number | null } = { position: null };
  try {
    return await transact(db, async (tx) => {
      const [item] = await lockItems(tx, job.id, 1);
      at.position = item?.position ?? null;
      if (!item) return false;
      const changer = await readChanger(tx, services, job.account_id);
      const done = await applyRow(tx, changer, job, item);
      await markItems(tx, job.id, [{ ...done, position: item.position, state: 'done' }]);
      return true;
    });
  } catch (error) {
    if (!(error instanceof Refusal) || at.position === null) throw error;
    await markFailed(db, job.id, at.position, error);
    return true;
  }
}

/**
 * Some renewals in one transaction: ten statements for all of them instead of ten for each. Where it
 * is refused, as when not all of them can be paid, nothing was done: one by one each gets its due.
 */
async function doNextRenewals(services: JobServices, job: JobRow): Promise<boolean | 'refused'> {
  try {
    return await transact(services.db, async (tx) => {
      const items = await lockItems(tx, job.id, RENEWALS_AT_ONCE);
      if (items.length === 0) return false;
      const changer = await readChanger(tx, services, job.account_id);
      await markItems(tx, job.id, await renewAll(tx, changer, items, job.arguments));
      return true;
    });
  } catch (error) {
    if (error instanceof Refusal) return 'refused';
    throw error;
  }
}

async function takeUp(db: Db, jobId: string): Promise<JobRow | undefined> {
  return db
    .updateTable('jobs')
    .set({ state: 'running', updated_at: sql`now()` })
    .where('id', '=', jobId)
    .where('state', 'in', ['queued', 'running'])
    .returningAll()
    .executeTakeFirst();
}

/** Unless a row is left that somebody else is at: then they end it. */
async function end(db: Db, jobId: string): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ state: 'done', finished_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', jobId)
    .where('state', '=', 'running')
    .where(sql<boolean>`not exists (
      select from job_items where job_id = jobs.id and state = 'waiting')`)
    .execute();
}

async function tell(db: Db, jobId: string): Promise<void> {
  await db.updateTable('jobs').set({ updated_at: sql`now()` }).where('id', '=', jobId).execute();
}

async function runRows(services: JobServices, job: JobRow, stopping: AbortSignal): Promise<void> {
  let toldAt = Date.now();
  let oneByOne = 0;
  for (;;) {
    const didSome =
      job.action === 'renew' && oneByOne-- <= 0
        ? await doNextRenewals(services, job)
        : await doNextRow(services, job);
    if (didSome === false) return;
    if (didSome === 'refused') oneByOne = RENEWALS_AT_ONCE;
    stopping.throwIfAborted();
    if (Date.now() - toldAt >= TOLD_EVERY_MS) {
      await tell(services.db, job.id);
      toldAt = Date.now();
    }
    // The embedded database would otherwise keep everybody else waiting.
    await setImmediate();
  }
}

/**
 * Does what is left of a job. Throws where it could not go on, as when the database is away: what is
 * left is done the next time.
 */
export async function runJob(
  services: JobServices,
  jobId: string,
  stopping: AbortSignal,
): Promise<void> {
  stopping.throwIfAborted();
  const job = await takeUp(services.db, jobId);
  if (!job) return;
  if (job.action === 'import') await runImport(services, job);
  else await runRows(services, job, stopping);
  await end(services.db, jobId);
}
