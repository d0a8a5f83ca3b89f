import type * as contract from '@linekeeper/contract/lines/bulk.ts';
import type * as lines from '@linekeeper/contract/lines/line-changes.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../db/transaction.ts';
import { refuseUndone } from '../../../domain/accounts/daily-limits.ts';
import { jobSubject, lineSubject } from '../../../domain/audit/audit-subjects.ts';
import { readBalance } from '../../../domain/credits/balance.ts';
import { askForJob, noteEnd } from '../../../domain/lines/jobs.ts';
import { restorePlaces } from '../../../domain/lines/plans.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { workOf } from './job-kinds.ts';
import { isToDo, mayBecome, mayFollow } from './job-state.ts';
import { lockJob, readJob } from './jobs-store.ts';
import { undoUntouched } from './undo-items.ts';
import { countDelivered } from './undoable.ts';

/**
 * Ends a job without waiting items. The items that a cancelled undo has already undone are refunded
 * first, once their card servers have accepted the change.
 */
export async function endJob(tx: Tx, jobId: string, state: 'done' | 'cancelled'): Promise<void> {
  const ended = await tx
    .updateTable('jobs')
    .set({ state, finished_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', jobId)
    .where(mayBecome(state))
    .where(sql<boolean>`not exists (
      select from job_items where job_id = jobs.id and state = 'waiting')`)
    .returning('account_id')
    .executeTakeFirst();
  if (ended) await noteEnd(tx, jobId, ended.account_id);
}

export const cancelJob: Mutation<typeof contract.cancelJob, string> = {
  audit: { action: 'job.cancel', subject: jobSubject },
  commit: async (tx, { actor }, { params: { id } }) => {
    const job = await lockJob(tx, actor, id);
    if (!mayFollow('cancelled', job.state)) fail('JOB_HAS_ENDED');
    // A cancelled change of a plan would leave half of its lines with the old plan.
    if (workOf(job)?.isWhole) fail('JOB_STAYS');
    // The update waits for the items in progress, and no further one begins after it.
    await tx
      .updateTable('job_items')
      .set({ state: 'skipped', input: null })
      .where('job_id', '=', job.id)
      .where(isToDo)
      .execute();
    await endJob(tx, job.id, 'cancelled');
    return job.id;
  },
  reply: async ({ db, actor }, id) => ({ job: await readJob(db, actor, id) }),
};

export const undoJob: Mutation<typeof contract.undoJob, string> = {
  audit: {
    action: 'job.undo',
    subject: jobSubject,
    data: (_, job_id) => ({ job_id }),
  },
  commit: async (tx, ctx, { params: { id } }) => {
    const { actor } = ctx;
    const job = await lockJob(tx, actor, id);
    if (job.undo_refusal) fail(job.undo_refusal);
    if (job.action === 'edit_plan') return restorePlaces(tx, ctx, job);
    await refuseUndone(tx, actor, await countDelivered(tx, job.id));
    const done = await tx
      .selectFrom('job_items')
      .select(['position', 'line_id', 'username'])
      .where('job_id', '=', job.id)
      .where('state', '=', 'done')
      .orderBy('position')
      .execute();
    const items = done.map((item) => ({ ...item, state: 'waiting' as const }));
    const undo = { action: 'undo' as const, arguments: { undone: job.action }, undo_of: job.id };
    return askForJob(tx, ctx, undo, items);
  },
  reply: async ({ db, actor }, id) => ({ job: await readJob(db, actor, id) }),
};

interface Undone {
  username: string;
  refunded: number;
  credits: number;
}

export const undoLine: Mutation<typeof lines.undoLine, Undone> = {
  audit: {
    action: 'line.undo',
    subject: lineSubject,
    data: (_, { username, refunded }) => ({ username, cost: -refunded }),
    isUncounted: 'its making was counted or paid',
  },
  commit: async (tx, ctx, { params }) => {
    const undone = await undoUntouched(tx, ctx, params.id);
    return { ...undone, credits: await readBalance(tx, ctx.actor.id) };
  },
  reply: async (_, { refunded, credits }) => ({ refunded, credits }),
};
