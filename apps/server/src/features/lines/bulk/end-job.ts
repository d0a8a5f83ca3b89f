import type * as contract from '@linekeeper/contract/lines/bulk.ts';
import type * as lines from '@linekeeper/contract/lines/line-changes.ts';
import { sql } from 'kysely';
import { refuseUndone } from '../../../domain/accounts/daily-limits.ts';
import { jobSubject, lineSubject } from '../../../domain/audit/audit-subjects.ts';
import { readBalance } from '../../../domain/credits/balance.ts';
import { countJob, insertJob } from '../../../domain/lines/jobs.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { endJob, isAwaited } from '../jobs/job-items.ts';
import { lockJob, readJob } from '../jobs/jobs-store.ts';
import { countDelivered, undoUntouched } from './undo-rows.ts';

export const cancelJob: Mutation<typeof contract.cancelJob, string> = {
  audit: { action: 'job.cancel', subject: jobSubject, of: ({ params }) => params.id },
  commit: async (tx, { actor }, { params: { id } }) => {
    const job = await lockJob(tx, actor, id);
    if (job.state !== 'queued' && job.state !== 'running') fail('JOB_HAS_ENDED');
    // Waits for the current rows; no further row begins after them.
    await tx
      .updateTable('job_items')
      .set({ state: 'skipped', input: null })
      .where('job_id', '=', job.id)
      .where('state', '=', 'waiting')
      .where(sql<boolean>`not ${isAwaited}`)
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
    of: ({ params }) => params.id,
    data: (_, job_id) => ({ job_id }),
  },
  commit: async (tx, ctx, { params: { id } }) => {
    const { actor, address, request_id } = ctx;
    const job = await lockJob(tx, actor, id);
    if (job.undo_refusal) fail(job.undo_refusal);
    await refuseUndone(tx, actor, await countDelivered(tx, job.id));
    const done = await tx
      .selectFrom('job_items')
      .select(['position', 'line_id', 'username'])
      .where('job_id', '=', job.id)
      .where('state', '=', 'done')
      .orderBy('position')
      .execute();
    const undo = await insertJob(
      tx,
      {
        account_id: actor.id,
        action: 'undo',
        arguments: { undone: job.action },
        undo_of: job.id,
        address,
        request_id,
      },
      done.map((item) => ({ ...item, state: 'waiting', error: null })),
    );
    await countJob(tx, actor, done.length);
    return undo;
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
    of: ({ params }) => params.id,
    data: (_, { username, refunded }) => ({ username, cost: -refunded }),
    isUncounted: 'its making was counted or paid',
  },
  commit: async (tx, ctx, { params }) => {
    const undone = await undoUntouched(tx, ctx, params.id);
    return { ...undone, credits: await readBalance(tx, ctx.actor.id) };
  },
  reply: async (_, { refunded, credits }) => ({ refunded, credits }),
};
