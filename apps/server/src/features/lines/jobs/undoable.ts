import { UNDO_MINUTES } from '@linekeeper/contract/lines/bulk.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';
import { mayBeThere } from '../../../domain/machines/server-accounts.ts';
import { secondsAgo } from '../../../platform/clock.ts';

/** SQL condition on a row of `users`: no card server ever had the line, so that nobody was served by it. */
export const isUndelivered = sql<boolean>`(
  not exists (select from line_pushes where line_pushes.line_id = users.id and ok)
  and not exists (select from server_accounts where of_line = users.id and ${mayBeThere}))`;

/** SQL condition on an item: it made its line. An import also extends lines that were there before. */
export const isMade = sql<boolean>`(job_items.before is null and job_items.after is not null)`;

/** SQL condition on an item and its line: the job made it, and it can be undone at any time, whatever was changed. */
const isUntouched = sql<boolean>`(${isMade} and ${isUndelivered})`;

/** SQL condition on an item and its line: a line that the job made is as it was made, or untouched. */
export const isUndoable = sql<boolean>`(
  not ${isMade} or users.updated_at = users.created_at or ${isUntouched})`;

/** SQL condition on a job: one of the lines that it made or changed, and that are still there, is so. */
export const hasLine = (isSo: RawBuilder<boolean>) => sql<boolean>`exists (
  select from job_items join users on users.id = job_items.line_id
    where job_id = jobs.id and job_items.state = 'done' and ${isSo})`;

/**
 * SQL condition on a job: all of its lines are untouched. First it looks for another, as nearly every job has one among the
 * first of its thousands.
 */
export const isNotDelivered = sql<boolean>`(
  not ${hasLine(sql`not ${isUntouched}`)} and ${hasLine(isUntouched)})`;

/** SQL condition on a job: it ended recently enough to be undone. */
export const isInTime = sql<boolean>`(finished_at is not null
  and (finished_at > ${secondsAgo(UNDO_MINUTES * 60)} or ${isNotDelivered}))`;

/**
 * Lines of a job, at these positions or all, whose paid sale or renewal can be undone, and that their servers have taken
 * since. Customers had them for nothing if all comes back, so that they are limited by the day.
 */
export async function countDelivered(
  db: Db,
  job_id: string,
  positions: readonly number[] | null = null,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from job_items
        join users on users.id = job_items.line_id
        join jobs on jobs.id = job_items.job_id
      where job_id = ${job_id} and job_items.state = 'done' and transfer_id is not null
        and (${positions}::integer[] is null or position = any(${positions}::integer[]))
        and ${isUndoable}
        and exists (select from line_pushes push
          where push.line_id = users.id and ok and operation <> 'delete'
            and push.created_at >= jobs.created_at)`.execute(db);
  return rows[0]?.count ?? 0;
}
