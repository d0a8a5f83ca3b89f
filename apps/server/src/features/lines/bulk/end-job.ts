import type * as contract from '@linekeeper/contract/bulk.ts';
import { sql } from 'kysely';
import { fail } from '../../../core/refusal.ts';
import type { Mutation } from '../../../core/use-case.ts';
import type { Tx } from '../../../db/transaction.ts';
import { insertJob, type JobRow, lockJob, mayUndo, readJob } from './jobs-store.ts';

/** An import is one transaction: once it has begun there is nothing to stop before. */
function mayCancel({ action, state }: JobRow): boolean {
  return state === 'queued' || (state === 'running' && action !== 'import');
}

export const cancelJob: Mutation<typeof contract.cancelJob, string> = {
  commit: async (tx, { actor }, { params: { id } }) => {
    const job = await lockJob(tx, actor, id);
    if (!mayCancel(job)) fail('JOB_HAS_ENDED');
    // Waits for the row that is being done; none is begun after it.
    await tx
      .updateTable('job_items')
      .set({ state: 'skipped', input: null })
      .where('job_id', '=', job.id)
      .where('state', '=', 'waiting')
      .execute();
    await tx
      .updateTable('jobs')
      .set({ state: 'cancelled', finished_at: sql`now()`, updated_at: sql`now()` })
      .where('id', '=', job.id)
      .execute();
    return job.id;
  },
  reply: async ({ db, actor }, id) => ({ job: await readJob(db, actor, id) }),
};

async function isUndone(tx: Tx, id: string): Promise<boolean> {
  const undo = await tx
    .selectFrom('jobs')
    .select('id')
    .where('undo_of', '=', id)
    .executeTakeFirst();
  return undo !== undefined;
}

export const undoJob: Mutation<typeof contract.undoJob, string> = {
  commit: async (tx, ctx, { params: { id } }) => {
    const { actor, jobQueue } = ctx;
    const job = await lockJob(tx, actor, id);
    const done = await tx
      .selectFrom('job_items')
      .select(['position', 'line_id', 'username'])
      .where('job_id', '=', job.id)
      .where('state', '=', 'done')
      .orderBy('position')
      .execute();
    if (!mayUndo(actor, job, await isUndone(tx, job.id), done.length)) fail('CANNOT_UNDO');
    const undo = await insertJob(
      tx,
      { account_id: actor.id, action: 'undo', undo_of: job.id },
      done.map((item) => ({ ...item, state: 'waiting', error: null })),
    );
    await jobQueue.send(tx, undo);
    return undo;
  },
  reply: async ({ db, actor, jobQueue }, id) => {
    jobQueue.wake();
    return { job: await readJob(db, actor, id) };
  },
};
