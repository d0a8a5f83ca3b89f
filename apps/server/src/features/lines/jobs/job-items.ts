import { type Selectable, sql } from 'kysely';
import type { JobItemError, JobsTable } from '../../../db/schema/job-schema.ts';
import type { Db, Tx } from '../../../db/transaction.ts';
import type { Plan } from '../change/plan.ts';
import type { ActingAccount } from '../price/price.ts';

export type StoredJob = Selectable<JobsTable>;

/** One line of a job. */
export interface Item {
  position: number;
  line_id: string | null;
  username: string;
}

/** An item of a job that has not been carried out yet. */
export interface WaitingItem extends Item {
  /** The row of the file, for an import. */
  input: unknown;
}

/** The refund of an undone item, which is delayed until card servers have accepted the change. */
export interface AwaitedRefund {
  /** Id of the payment; null if nothing was paid. */
  transfer_id: string | null;
  /** Credits that this payment returns to its payer. */
  owed: number;
  awaits: { server_id: string; username: string; revision: number }[];
}

/** The outcome of an item. */
export interface Outcome extends Item, Partial<Plan> {
  /** The item is `waiting` while its refund is delayed. */
  state: 'done' | 'failed' | 'waiting';
  transfer_id?: string | null;
  /** The reason why the item failed, or failed in part. */
  error?: JobItemError | null;
  awaited?: AwaitedRefund;
  /** Months by which a row of a file renewed its line, which is audited as a renewal. */
  months?: number;
}

/**
 * The function of a kind of job that changes the lines of some of its items. The lines are locked, and the account that
 * started the job has its current permissions. Resolves to an outcome for each item, `failed` for an item that is
 * refused separately. Throws, and changes none, if they cannot be changed together, for example for lack of credits.
 */
export type CarryOut = (
  tx: Tx,
  acting: ActingAccount,
  job: StoredJob,
  items: readonly WaitingItem[],
) => Promise<Outcome[]>;

/** Stores the outcomes of waiting items; items that were skipped in the meantime stay skipped. */
export async function storeOutcomes(
  db: Db,
  jobId: string,
  outcomes: readonly Omit<Outcome, 'line_id' | 'username'>[],
): Promise<void> {
  if (outcomes.length === 0) return;
  await sql`
    update job_items set state = became.state, cost = coalesce(became.cost, 0), error = became.error,
        before = coalesce(became.before, job_items.before), after = coalesce(became.after, job_items.after),
        transfer_id = became.transfer_id, input = became.awaited
      from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as became (
        position integer, state text, cost integer, error jsonb, before jsonb, after jsonb,
        transfer_id uuid, awaited jsonb)
      where job_id = ${jobId} and job_items.position = became.position
        and job_items.state = 'waiting'`.execute(db);
}
