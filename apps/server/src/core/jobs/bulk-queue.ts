import type { Db } from '../../db/transaction.ts';
import type { JobQueue, Queue } from './job-queue.ts';

/**
 * Contains the id only: the job and its remaining rows are in `jobs` and `job_items`, so running it
 * twice does no harm.
 */
export const bulkQueue: Queue<{ id: string }> = {
  name: 'bulk',
  // Several, so that a small job does not wait for a large one.
  at_a_time: 3,
  poll_seconds: 2,
  // No delay, because a retry waits for the next poll anyway.
  retries: { retryLimit: 10_000, retryDelay: 0 },
  keyOf: ({ id }) => id,
};

/** Queues unfinished jobs that are not in the queue, for example after a restore from a backup. */
export async function sendUnfinishedJobs(db: Db, jobQueue: JobQueue): Promise<void> {
  const jobs = await db
    .selectFrom('jobs')
    .select('id')
    .where('state', 'in', ['queued', 'running'])
    .execute();
  for (const { id } of jobs) await jobQueue.send(db, bulkQueue, { id });
}
