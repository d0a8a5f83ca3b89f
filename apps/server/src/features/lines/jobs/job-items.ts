import { sql } from 'kysely';
import type { JobItemError } from '../../../db/schema/job-schema.ts';
import type { Tx } from '../../../db/transaction.ts';
import type { Plan } from '../change/plan.ts';

/** SQL condition: the row is carried out, and waits for its card server before it is refunded. */
export const isAwaited = sql<boolean>`(job_items.input -> 'awaits') is not null`;

export const alreadyRefunded: JobItemError = { code: 'ALREADY_REFUNDED', data: {}, field: null };

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
