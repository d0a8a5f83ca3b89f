import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { withLongStatements } from '../../../db/deadline.ts';
import { type Db, transact } from '../../../db/transaction.ts';
import type { Services } from '../../../domain/context/context.ts';
import { catchRefusal, Refusal } from '../../../platform/errors/refusal.ts';
import {
  ClaimLoop,
  inSeconds,
  LEASE_SECONDS,
  underLease,
} from '../../../platform/jobs/claim-loop.ts';
import type { Background } from '../../../platform/jobs/poller.ts';
import { itemError } from '../change/plan.ts';
import { importNext } from '../import/import-run.ts';
import { applyRows, holdActingAccount } from '../jobs/apply-rows.ts';
import { endJob, finishRows, type JobRow, lockItems, type WaitingItem } from '../jobs/job-items.ts';
import { refundTaken, undoRows } from './undo-rows.ts';

/** Notified by the database when a job is queued. */
const CHANNEL = 'linekeeper_jobs';
/** Several, so that a small job does not wait for a large one. */
const AT_A_TIME = 3;
const LOOK_SECONDS = 2;
/** Pause of an undo that waits for card servers. */
export const WAIT_SECONDS = 15;

/** Minimum time in milliseconds between two progress updates. */
const TOUCHED_EVERY_MS = 300;
const ROWS_AT_ONCE = 20;

/** Does nothing if the job was cancelled meanwhile, which skips its rows. */
async function markFailed(
  db: Db,
  job_id: string,
  position: number,
  refusal: Refusal,
): Promise<void> {
  await db
    .updateTable('job_items')
    .set({ state: 'failed', error: JSON.stringify(itemError(refusal)), input: null })
    .where('job_id', '=', job_id)
    .where('position', '=', position)
    .where('state', '=', 'waiting')
    .execute();
}

/**
 * Carries out up to `limit` rows and marks them done in the same transaction, so that each happens exactly once. Where
 * they are refused, for example because not all can be paid, nothing is done; a row that is refused by itself has failed.
 * False if no row is left.
 */
async function doNextRows(
  services: Services,
  job: JobRow,
  limit: number,
): Promise<boolean | 'refused'> {
  const { db } = services;
  const { undo_of } = job;
  const tried: WaitingItem[] = [];
  try {
    return await transact(db, async (tx) => {
      // The account is locked before any row, which another change of the account may wait for.
      const acting = await catchRefusal(() => holdActingAccount(tx, services, job.account_id));
      const items = await lockItems(tx, job.id, limit);
      tried.splice(0, tried.length, ...items);
      if (items.length === 0) return false;
      if (acting instanceof Refusal) throw acting;
      const outcomes = undo_of
        ? await undoRows(tx, acting, { ...job, undo_of }, items)
        : await applyRows(tx, acting, job, items);
      await finishRows(tx, job, items, outcomes);
      return true;
    });
  } catch (error) {
    const [first, second] = tried;
    if (!(error instanceof Refusal) || !first) throw error;
    if (second) return 'refused';
    await markFailed(db, job.id, first.position, error);
    return true;
  }
}

async function touchJob(db: Db, jobId: string): Promise<void> {
  await db.updateTable('jobs').set({ updated_at: sql`now()` }).where('id', '=', jobId).execute();
}

async function runRows(services: Services, job: JobRow, stopping: AbortSignal): Promise<void> {
  let touchedAt = performance.now();
  let oneByOne = 0;
  for (;;) {
    const didSome =
      job.action === 'import'
        ? await importNext(services, job)
        : await doNextRows(services, job, oneByOne-- > 0 ? 1 : ROWS_AT_ONCE);
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
  services: Services,
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
  // A worker that still has a row ends it instead.
  await transact(services.db, (tx) => endJob(tx, jobId, 'done'));
}

interface Claim {
  id: string;
}

/** Leases up to `limit` unfinished jobs to this panel, besides those that it runs. */
async function claimJobs(db: Db, limit: number, running: readonly Claim[]): Promise<Claim[]> {
  const own = running.map(({ id }) => id);
  const { rows } = await sql<Claim>`
    update jobs set state = 'running', claimed_until = ${inSeconds(LEASE_SECONDS)}, updated_at = now()
      where id in (
        select id from jobs
          where state in ('queued', 'running') and not (id = any(${own}::uuid[]))
            and (claimed_until is null or claimed_until <= now())
          order by created_at limit ${limit} for update skip locked)
      returning id`.execute(db);
  return rows;
}

/**
 * Runs a job that is leased to this panel, which is no harm where another panel does so, too. If it has not ended then,
 * it becomes due again.
 */
async function runClaimed(services: Services, { id }: Claim, stopping: AbortSignal): Promise<void> {
  const holdFor = (seconds: number) =>
    services.db
      .updateTable('jobs')
      .set({ claimed_until: inSeconds(stopping.aborted ? 0 : seconds) })
      .where('id', '=', id)
      .where('state', 'in', ['queued', 'running'])
      .execute();
  let pause = LOOK_SECONDS;
  try {
    await underLease(
      () => holdFor(LEASE_SECONDS),
      () => runJob(services, id, stopping),
    );
    pause = WAIT_SECONDS;
  } finally {
    await holdFor(pause);
  }
}

/** Carries out bulk work, as soon as the transaction of any panel that ordered it has committed. */
export function jobLoop(services: Services): Background {
  const { connection, db, log } = services;
  const loop = new ClaimLoop<Claim>(
    {
      name: 'bulk job',
      every_ms: LOOK_SECONDS * 1000,
      at_a_time: AT_A_TIME,
      claim: async (limit, running) =>
        connection.isDiskLow() ? [] : claimJobs(db, limit, running),
      work: (claim, stopping) => withLongStatements(() => runClaimed(services, claim, stopping)),
      about: ({ id }) => ({ job_id: id }),
    },
    log,
  );
  return {
    start: async () => {
      const look = () => loop.lookNow();
      await connection.listen(CHANNEL, look, look);
      loop.start();
      loop.lookNow();
    },
    stop: () => loop.stop(),
  };
}
