import type { AuditAction } from '@linekeeper/contract/lists/audit-actions.ts';
import { type Selectable, sql } from 'kysely';
import type { JobAction, JobItemError, JobsTable } from '../../../db/schema/job-schema.ts';
import type { Tx } from '../../../db/transaction.ts';
import { writeAudit } from '../../../domain/audit/audit.ts';
import { notifyOwnersOfJob } from '../../../domain/lines/changed-addresses.ts';
import { keepWaits } from '../../../domain/lines/jobs.ts';
import { lineFields, type Plan } from '../change/plan.ts';

export type JobRow = Selectable<JobsTable>;

/** SQL condition: the row is carried out, and waits for its card server before it is refunded. */
export const isAwaited = sql<boolean>`(job_items.input -> 'awaits') is not null`;

export interface WaitingItem {
  position: number;
  line_id: string | null;
  username: string;
}

/** What was undone, and its refund, waits until card servers have taken it. */
export interface AwaitedRefund {
  /** null where nothing was paid. */
  transfer_id: string | null;
  /** Credits. */
  owed: number;
  awaits: { server_id: string; username: string; revision: number }[];
}

/** Result of a row. */
export interface Outcome extends Partial<Plan> {
  position: number;
  state: 'done' | 'failed' | 'waiting';
  transfer_id?: string | null;
  /** Why it failed, or the part that could not be done. */
  error?: JobItemError | null;
  input?: AwaitedRefund;
}

/** Locks the next waiting rows; skips rows locked by another worker. */
export function lockItems(tx: Tx, jobId: string, limit: number): Promise<WaitingItem[]> {
  return tx
    .selectFrom('job_items')
    .select(['position', 'line_id', 'username'])
    .where('job_id', '=', jobId)
    .where('state', '=', 'waiting')
    .where(sql<boolean>`not ${isAwaited}`)
    .orderBy('position')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

/** Names of the acts, as for single lines. */
const actions: Record<JobAction, AuditAction> = {
  sell: 'line.create',
  renew: 'line.renew',
  edit: 'line.edit',
  move: 'line.move',
  readdress: 'line.edit',
  suspend: 'line.suspend',
  resume: 'line.resume',
  delete: 'line.delete',
  import: 'line.import',
  undo: 'line.undo',
  export: 'line.export',
};

/** A row of a job; of a renewal with its months, where the rows of a job differ in them. */
type FinishedItem = WaitingItem & { months?: number };

/**
 * Stores what became of rows, and writes an audit entry for each that did not fail, with the actor and address of the
 * job's request. Rows of an import that extend lines are audited as the renewals that they are.
 */
export async function finishRows(
  tx: Tx,
  job: JobRow,
  items: readonly FinishedItem[],
  outcomes: readonly Outcome[],
  action = job.action,
): Promise<void> {
  if (outcomes.length === 0) return;
  await sql`
    update job_items set state = became.state, cost = coalesce(became.cost, 0),
        error = became.error, before = became.before, after = became.after,
        transfer_id = became.transfer_id, input = became.input
      from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as became (
        position integer, state text, cost integer, error jsonb, before jsonb, after jsonb,
        transfer_id uuid, input jsonb)
      where job_id = ${job.id} and job_items.position = became.position`.execute(tx);
  const { id: job_id, account_id: actor_id, address, request_id } = job;
  const { subscription_months, reason } = job.arguments;
  const byPosition = new Map(items.map((item) => [item.position, item]));
  const entries = outcomes.flatMap(({ state, position, ...done }) => {
    const {
      line_id = null,
      username,
      months = subscription_months,
    } = byPosition.get(position) ?? {};
    if (state === 'failed' || line_id === null) return [];
    const { before, after, cost = 0, transfer_id = null, input } = done;
    return {
      action: actions[action],
      subject_type: 'line' as const,
      subject_id: line_id,
      before: before ? lineFields(before) : null,
      after: after ? lineFields(after) : null,
      data: {
        // An undo's refund is written down with the undo, though it waits for the card server.
        username,
        job_id,
        cost: input ? -input.owed : cost,
        transfer_id,
        ...(action === 'renew' && { months }),
        ...(reason ? { reason } : {}),
      },
    };
  });
  await writeAudit(tx, { actor_id, address, request_id }, entries);
}

/**
 * Ends a job of which no row waits any more, and tells the owners whose customers must enter another address. What a
 * cancelled undo has undone already is refunded first, once its card server has taken it.
 */
export async function endJob(tx: Tx, jobId: string, state: 'done' | 'cancelled'): Promise<void> {
  const ended = await tx
    .updateTable('jobs')
    .set({ state, finished_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', jobId)
    .where('state', 'in', ['queued', 'running'])
    .where(sql<boolean>`not exists (
      select from job_items where job_id = jobs.id and state = 'waiting')`)
    .returning('account_id')
    .executeTakeFirst();
  if (!ended) return;
  await keepWaits(tx, jobId);
  await notifyOwnersOfJob(tx, jobId, ended.account_id);
}
