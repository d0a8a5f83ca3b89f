import { sql } from 'kysely';
import type { JobItemError } from '../../../db/schema/job-schema.ts';
import type { Tx } from '../../../db/transaction.ts';
import type { RowResult } from '../change/change-row.ts';

/** SQL condition: the row is carried out, and waits for its card server before it is refunded. */
export const isAwaited = sql<boolean>`(job_items.input -> 'awaits') is not null`;

export const alreadyRefunded: JobItemError = { code: 'ALREADY_REFUNDED', data: {}, field: null };

export interface WaitingItem {
  position: number;
  line_id: string | null;
  username: string;
}

/** Result of a row. */
export interface Outcome extends Partial<RowResult> {
  position: number;
  state: 'done' | 'failed' | 'waiting';
  error?: JobItemError | null;
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

export async function markItems(
  tx: Tx,
  jobId: string,
  outcomes: readonly Outcome[],
): Promise<void> {
  await sql`
    update job_items set state = became.state, cost = coalesce(became.cost, 0),
        error = became.error, before = became.before, after = became.after,
        transfer_id = became.transfer_id, input = became.input
      from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as became (
        position integer, state text, cost integer, error jsonb, before jsonb, after jsonb,
        transfer_id uuid, input jsonb)
      where job_id = ${jobId} and job_items.position = became.position
  `.execute(tx);
}
