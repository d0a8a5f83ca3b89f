import {
  type Job,
  type JobItem,
  type JobItemState,
  UNDO_MINUTES,
} from '@linekeeper/contract/bulk.ts';
import { type ErrorCode, errorText } from '@linekeeper/contract/errors.ts';
import type { SyncState } from '@linekeeper/contract/lines.ts';
import { type Selectable, type SqlBool, sql } from 'kysely';
import { lineScope, type SignedIn, visibleTo } from '../../../core/access.ts';
import { readBalance } from '../../../core/balance.ts';
import { newId } from '../../../core/ids.ts';
import { fail } from '../../../core/refusal.ts';
import type { JobAction, JobItemError, JobItemsTable, JobsTable } from '../../../db/schema.ts';
import type { Db, Tx } from '../../../db/transaction.ts';
import { visibleLines } from '../store.ts';
import type { Fields } from './plan.ts';

const KEPT_DAYS = 30;
const LISTED = 50;

export type JobRow = Selectable<JobsTable>;

/** What can be taken back as long as nobody changed the line since. */
export const undoable: readonly string[] = ['renew', 'edit', 'move'] satisfies JobAction[];

export interface NewItem {
  position: number;
  line_id: string | null;
  username: string;
  state: JobItemState;
  error: JobItemError | null;
  input?: Fields | null;
}

export interface NewJob {
  account_id: string;
  action: JobAction;
  arguments?: Fields;
  state?: 'queued' | 'done';
  undo_of?: string;
}

/** One statement for the job and one for all of its items, however many. */
export async function insertJob(tx: Tx, job: NewJob, items: readonly NewItem[]): Promise<string> {
  const id = newId();
  const { arguments: given = {}, state = 'queued', undo_of = null, ...about } = job;
  await tx
    .insertInto('jobs')
    .values({
      ...about,
      id,
      state,
      undo_of,
      arguments: JSON.stringify(given),
      total: items.length,
      ...(state === 'done' ? { finished_at: sql<Date>`now()` } : {}),
    })
    .execute();
  await sql`
    insert into job_items (job_id, position, line_id, username, state, error, input)
      select ${id}, item.* from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as item (
        position integer, line_id uuid, username text, state text, error jsonb, input jsonb)
  `.execute(tx);
  return id;
}

/** Its own account's, or an administrator's to see. Throws JOB_NOT_FOUND for missing ones alike. */
export async function findJob(db: Db, actor: SignedIn, id: string): Promise<JobRow> {
  let jobs = db.selectFrom('jobs').selectAll().where('id', '=', id);
  if (!actor.is_admin) jobs = jobs.where('account_id', '=', actor.id);
  return (await jobs.executeTakeFirst()) ?? fail('JOB_NOT_FOUND');
}

/** The same, and nobody else ends or undoes it meanwhile. */
export async function lockJob(tx: Tx, actor: SignedIn, id: string): Promise<JobRow> {
  await tx.selectFrom('jobs').select('id').where('id', '=', id).forUpdate().execute();
  return findJob(tx, actor, id);
}

type Counts = Pick<Job, 'done' | 'failed' | 'skipped' | 'cost' | 'not_synced'>;

const nothing: Counts = { done: 0, failed: 0, skipped: 0, cost: 0, not_synced: 0 };

/** The lines that servers failed to take are few: they are looked up once, not for each item. */
async function countItems(db: Db, actor: SignedIn, jobIds: string[]): Promise<Map<string, Counts>> {
  const { rows } = await sql<Counts & { job_id: string }>`
    select job_id,
      count(*) filter (where state = 'done') as done,
      count(*) filter (where state = 'failed') as failed,
      count(*) filter (where state = 'skipped') as skipped,
      count(missing.id) filter (where state = 'done' and after is not null) as not_synced,
      coalesce(sum(cost), 0)::bigint as cost
    from job_items
      left join (
        select users.id from server_accounts as push
          join users on users.username = push.username and users.server_id = push.server_id
          where push.sync_state = 'failed' and ${visibleTo(lineScope(actor), 'users.owner_id')}
      ) as missing on missing.id = job_items.line_id
    where job_id = any(${jobIds}::uuid[]) group by job_id`.execute(db);
  return new Map(rows.map(({ job_id, ...counts }) => [job_id, counts]));
}

async function findUndos(db: Db, jobIds: string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('jobs')
    .select(['id', 'undo_of'])
    .where(sql<SqlBool>`undo_of = any(${jobIds}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, undo_of }) => [undo_of ?? '', id]));
}

export function mayUndo(actor: SignedIn, row: JobRow, isUndone: boolean, done: number): boolean {
  const endedAt = row.finished_at?.getTime() ?? Number.NEGATIVE_INFINITY;
  return (
    row.account_id === actor.id &&
    undoable.includes(row.action) &&
    !isUndone &&
    done > 0 &&
    Date.now() - endedAt < UNDO_MINUTES * 60_000
  );
}

async function describeJobs(db: Db, actor: SignedIn, rows: readonly JobRow[]): Promise<Job[]> {
  const ids = rows.map(({ id }) => id);
  const counted = await countItems(db, actor, ids);
  const undos = await findUndos(db, ids);
  const credits = await readBalance(db, actor.id);
  return rows.map((row) => {
    const { id, action, state, total, undo_of, created_at, finished_at } = row;
    const counts = counted.get(id) ?? nothing;
    const undone_by = undos.get(id) ?? null;
    return {
      id,
      action,
      term: row.arguments,
      state,
      total,
      ...counts,
      credits,
      credits_after: credits,
      undo_of,
      undone_by,
      can_undo: mayUndo(actor, row, undone_by !== null, counts.done),
      created_at: created_at.toISOString(),
      finished_at: finished_at?.toISOString() ?? null,
      items: [],
    };
  });
}

export function shownError(error: JobItemError | null): JobItem['error'] {
  return error && { ...error, message: errorText(error.code as ErrorCode, error.data) };
}

async function readItems(
  db: Db,
  actor: SignedIn,
  jobId: string,
  which: 'all' | 'failed',
): Promise<JobItem[]> {
  let items = db
    .selectFrom('job_items')
    .leftJoin(
      visibleLines(db, lineScope(actor))
        .leftJoin('server_accounts as push', (join) =>
          join
            .onRef('push.server_id', '=', 'users.server_id')
            .onRef('push.username', '=', 'users.username'),
        )
        .select(['users.id', 'push.last_message'])
        .select(sql<SyncState>`coalesce(push.sync_state, 'synced')`.as('sync_state'))
        .as('line'),
      (join) =>
        join
          .onRef('line.id', '=', 'job_items.line_id')
          .on('job_items.state', '=', 'done')
          .on('job_items.after', 'is not', null),
    )
    .select(itemColumns)
    .select(['line.sync_state', 'line.last_message as sync_message'])
    .where('job_id', '=', jobId)
    .orderBy('position');
  if (which === 'failed') {
    items = items.where((eb) =>
      eb.or([eb('state', '=', 'failed'), eb('line.sync_state', '=', 'failed')]),
    );
  }
  return (await items.execute()).map((item) => ({ ...item, error: shownError(item.error) }));
}

export const itemColumns = [
  'position',
  'line_id',
  'username',
  'state',
  'cost',
  'before',
  'after',
  'error',
] as const satisfies (keyof JobItemsTable)[];

export async function readJob(
  db: Db,
  actor: SignedIn,
  id: string,
  which: 'all' | 'failed' | 'none' = 'none',
): Promise<Job> {
  const [described] = await describeJobs(db, actor, [await findJob(db, actor, id)]);
  if (!described) return fail('JOB_NOT_FOUND');
  return which === 'none'
    ? described
    : { ...described, items: await readItems(db, actor, id, which) };
}

export async function listOwnJobs(db: Db, actor: SignedIn): Promise<Job[]> {
  const rows = await db
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', actor.id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LISTED)
    .execute();
  return describeJobs(db, actor, rows);
}

/** Nobody asks any more what became of each line. */
export async function deleteOldJobs(db: Db): Promise<void> {
  await sql`delete from jobs
    where finished_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(db);
}
