import type { JobItemState } from '@linekeeper/contract/lines/bulk.ts';
import { sql } from 'kysely';
import type { JobAction, JobItemError } from '../../db/schema/job-schema.ts';
import type { Tx } from '../../db/transaction.ts';
import { newId } from '../ids.ts';

type Fields = Record<string, unknown>;

export interface NewItem {
  position: number;
  line_id: string | null;
  username: string;
  state: JobItemState;
  error: JobItemError | null;
  input?: Fields | null;
  cost?: number;
  before?: Fields;
  after?: Fields;
  transfer_id?: string | null;
}

export interface NewJob {
  account_id: string;
  action: JobAction;
  arguments?: Fields;
  state?: 'queued' | 'done';
  undo_of?: string;
  /** Rows that named no line, and are not among the items. */
  not_found?: number;
  address: string;
  request_id: string;
}

/** Inserts the job and all its items in two statements. */
export async function insertJob(tx: Tx, job: NewJob, items: readonly NewItem[]): Promise<string> {
  const id = newId();
  const { arguments: given = {}, state = 'queued', undo_of = null, not_found = 0, ...about } = job;
  await tx
    .insertInto('jobs')
    .values({
      ...about,
      id,
      state,
      undo_of,
      arguments: JSON.stringify(given),
      not_found,
      total: items.length + not_found,
      ...(state === 'done' ? { finished_at: sql<Date>`now()` } : {}),
    })
    .execute();
  await sql`
    insert into job_items (job_id, position, line_id, username, state, error, input, cost, before,
        after, transfer_id)
      select ${id}, position, line_id, username, state, error, input, coalesce(cost, 0), before,
        after, transfer_id
      from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as item (
        position integer, line_id uuid, username text, state text, error jsonb, input jsonb,
        cost integer, before jsonb, after jsonb, transfer_id uuid)
  `.execute(tx);
  return id;
}
