import { UNDO_MINUTES } from '@linekeeper/contract/lines/bulk.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';
import { mayBeThere } from '../../../domain/machines/server-accounts.ts';
import { secondsAgo } from '../../../platform/clock.ts';

/** SQL condition on a row of `users`: no card server ever had the line, so no customer used it. */
export const isUndelivered = sql<boolean>`(
  not exists (select from line_pushes where line_pushes.line_id = users.id and ok)
  and not exists (select from server_accounts where of_line = users.id and ${mayBeThere}))`;

/** SQL condition: the card server has the wanted account, without the rights of its plan. */
const isThereWithoutRights = sql`last_finding ->> 'code' = 'AGENT_WITHOUT_RIGHTS'`;

/** SQL condition on an item: it created its line. An import also extends existing lines. */
export const isMade = sql<boolean>`(job_items.before is null and job_items.after is not null)`;

/** SQL condition on an item and its line: the job created it, and no card server ever had it. */
const isUntouched = sql<boolean>`(${isMade} and ${isUndelivered})`;

/** SQL condition on an item and its line: the job created it, and it is unchanged or was never on a card server. */
export const isUndoable = sql<boolean>`(
  not ${isMade} or users.updated_at = users.created_at or ${isUntouched})`;

/** SQL condition on a job: `isSo` is true for one of the existing lines that it created or changed. */
export const hasLine = (isSo: RawBuilder<boolean>) => sql<boolean>`exists (
  select from job_items join users on users.id = job_items.line_id
    where job_id = jobs.id and job_items.state = 'done' and ${isSo})`;

/**
 * SQL condition on a job: no card server ever had any of its lines. It looks for a counterexample,
 * which nearly every job has among the first of its thousands of lines.
 */
export const isNotDelivered = sql<boolean>`(
  not ${hasLine(sql`not ${isUntouched}`)} and ${hasLine(isUntouched)})`;

/** SQL condition on a job: it ended recently enough to be undone. */
export const isInTime = sql<boolean>`(finished_at is not null
  and (finished_at > ${secondsAgo(UNDO_MINUTES * 60)} or ${isNotDelivered}))`;

/**
 * Number of lines of a job, at these positions or all, whose paid sale or renewal can be undone
 * although their servers have accepted it. Their customers have used them free of charge if the
 * whole price is refunded, so a daily limit applies.
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
        and (exists (select from line_pushes push
            where push.line_id = users.id and ok and operation <> 'delete'
              and push.created_at >= jobs.created_at)
          or exists (select from server_accounts where of_line = users.id and ${isThereWithoutRights}))`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
