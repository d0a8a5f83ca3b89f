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

/** One that is still to be carried out. */
export interface WaitingItem extends Item {
  /** Of an import, the row of its file. */
  input: unknown;
}

/** What was undone, and its refund, waits until card servers have taken it. */
export interface AwaitedRefund {
  /** null where nothing was paid. */
  transfer_id: string | null;
  /** Credits. */
  owed: number;
  awaits: { server_id: string; username: string; revision: number }[];
}

/** What became of an item. */
export interface Outcome extends Item, Partial<Plan> {
  /** It waits on if its refund is awaited. */
  state: 'done' | 'failed' | 'waiting';
  transfer_id?: string | null;
  /** Why it failed, or the part that could not be done. */
  error?: JobItemError | null;
  awaited?: AwaitedRefund;
  /** By which a row of a file renewed its line: it is audited as the renewal that it is. */
  months?: number;
}

/**
 * Carries out locked items of a job, as its account is now. What cannot be done with one of them alone is its outcome; where
 * they cannot be done together, it throws and nothing is done.
 */
export type CarryOut = (
  tx: Tx,
  acting: ActingAccount,
  job: StoredJob,
  items: readonly WaitingItem[],
) => Promise<Outcome[]>;

/** Stores what became of items that wait, and leaves alone what was skipped meanwhile. */
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
