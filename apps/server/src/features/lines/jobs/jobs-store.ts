import { type ErrorCode, errorText } from '@linekeeper/contract/errors.ts';
import { findingWithMessage } from '@linekeeper/contract/findings.ts';
import { type Job, type JobItem, MAX_BULK_LINES } from '@linekeeper/contract/lines/bulk.ts';
import { CUSTOMERS_KEPT_DAYS } from '@linekeeper/contract/lines/customers.ts';
import { MAX_IMPORT_ROWS } from '@linekeeper/contract/lines/import-limits.ts';
import type { SyncState } from '@linekeeper/contract/lines/lines.ts';
import { type SqlBool, sql } from 'kysely';
import type { JobItemError, JobItemsTable } from '../../../db/schema/job-schema.ts';
import type { Db, Tx } from '../../../db/transaction.ts';
import { lineScope, type SignedIn, visibleTo } from '../../../domain/context/access.ts';
import { readBalance } from '../../../domain/credits/balance.ts';
import { isReaddressed } from '../../../domain/lines/changed-addresses.ts';
import { visibleLines } from '../../../domain/lines/line-sets.ts';
import { isFormer } from '../../../domain/machines/server-accounts.ts';
import { serversOfUser } from '../../../domain/machines/servers.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { jobKinds } from './job-kinds.ts';
import { isAwaited, mayBecome } from './job-state.ts';
import { hasLine, isInTime, isNotDelivered, isUndoable } from './undoable.ts';

const RENEWALS_KEPT_DAYS = 1;
const LISTED = 50;

/** SQL condition: the sale or renewal of one line. There are many, so they are listed only while undo is possible. */
const isOneSale = sql<boolean>`(action in ('sell', 'renew') and total = 1 and finished_at is not null)`;

/** SQL condition: the job still has its list of customers to notify. */
export const keepsCustomers = sql<boolean>`(
  jobs.created_at > now() - make_interval(days => ${CUSTOMERS_KEPT_DAYS}))`;

const undoable = Object.entries(jobKinds).flatMap(([action, kind]) =>
  kind.isUndoable ? action : [],
);

/** Jobs with the job that undid each, and the reason why the actor cannot undo it; null if the actor can. */
function jobsFor(db: Db, actor: SignedIn) {
  const undoneBy = sql<string | null>`(select id from jobs undo where undo.undo_of = jobs.id)`;
  const undoRefusal = sql<'CANNOT_UNDO' | 'LINE_CHANGED_SINCE' | null>`case
    when account_id <> ${actor.id} or (total > ${MAX_IMPORT_ROWS} and action <> 'edit_plan') or action <> all(${undoable}::text[])
      or ${undoneBy} is not null or not ${mayBecome('undone')} or not ${isInTime} or not ${hasLine(sql`true`)} then 'CANNOT_UNDO'
    when not ${hasLine(isUndoable)} then 'LINE_CHANGED_SINCE' end`;
  return db
    .selectFrom('jobs')
    .selectAll()
    .select([undoneBy.as('undone_by'), undoRefusal.as('undo_refusal')])
    .select(keepsCustomers.as('keeps_customers'));
}
type FoundJob = Awaited<ReturnType<ReturnType<typeof jobsFor>['execute']>>[number];

/**
 * Finds a job of the actor, or any for administrators. Throws JOB_NOT_FOUND if it is missing or not
 * visible.
 */
export async function findJob(db: Db, actor: SignedIn, id: string): Promise<FoundJob> {
  let jobs = jobsFor(db, actor).where('id', '=', id);
  if (!actor.is_admin) jobs = jobs.where('account_id', '=', actor.id);
  return (await jobs.executeTakeFirst()) ?? fail('JOB_NOT_FOUND');
}

/** Like `findJob`, but locks the job, so that no other request ends or undoes it. Throws JOB_NOT_FOUND. */
export async function lockJob(tx: Tx, actor: SignedIn, id: string): Promise<FoundJob> {
  await tx.selectFrom('jobs').select('id').where('id', '=', id).forUpdate().execute();
  return findJob(tx, actor, id);
}

const nothing = {
  done: 0,
  failed: 0,
  skipped: 0,
  cost: 0,
  not_synced: 0,
  pending: 0,
  waits_on: [],
  to_tell: 0,
  username: null,
  line_id: null,
  expiry_date: null,
} satisfies Partial<Job>;
type Counts = Pick<Job, keyof typeof nothing>;

/** The initial values of a job. */
export const emptyJob = {
  ...nothing,
  id: null,
  kinds: null,
  of_others: [],
  undo_of: null,
  undone_by: null,
  can_undo: false,
  created_at: null,
  finished_at: null,
  items: [],
} satisfies Partial<Job>;

/** SQL of the deliveries for which an item waits, if there are several. */
const alsoWaits = sql`jsonb_to_recordset(job_items.also_waits) as also (server_id uuid, revision bigint)`;

/**
 * SQL condition: the change of an item has not reached all servers for which it waited when its job
 * ended. While the job runs, any pending push of its line counts.
 */
const stillWaits = (push: string) => sql<boolean>`(
  exists (select from jobs where jobs.id = job_items.job_id and finished_at is null)
  or ${sql.ref(`${push}.server_id`)} = job_items.waits_on
    and ${sql.ref(`${push}.name`)} = job_items.username
    and ${sql.ref(`${push}.synced_revision`)} < job_items.waits_for
  or job_items.also_waits is not null and exists (select from ${alsoWaits}
    where also.server_id = ${sql.ref(`${push}.server_id`)} and ${sql.ref(`${push}.name`)} = job_items.username
      and ${sql.ref(`${push}.synced_revision`)} < also.revision))`;

/** Counts the items of jobs. Only few lines are not applied by their servers, so these are read once for all items. */
async function countItems(db: Db, actor: SignedIn, jobIds: string[]): Promise<Map<string, Counts>> {
  const { rows } = await sql<Counts & { job_id: string }>`
    select job_id,
      count(*) filter (where state = 'done') as done,
      count(*) filter (where state = 'failed') as failed,
      count(*) filter (where state = 'skipped') as skipped,
      count(missing.id) filter (where state = 'done' and after is not null) as not_synced,
      count(*) filter (where missing.id is null and (late.username is not null
          or job_items.also_waits is not null and exists (select from ${alsoWaits}
            join server_accounts using (server_id)
            where server_accounts.username = job_items.username and synced_revision < also.revision)))
        + count(*) filter (where ${isAwaited}) as pending,
      case when bool_or(${isAwaited}) then (
          select array_agg(distinct server_name)
            from job_items waiting
              cross join jsonb_to_recordset(waiting.input -> 'awaits') as awaited (server_id uuid)
              join cccam_servers on cccam_servers.id = awaited.server_id
            where waiting.job_id = job_items.job_id)
        when bool_and(missing.is_unreached) filter (where state = 'done' and after is not null)
        then array_agg(distinct missing.server_name)
          filter (where state = 'done' and after is not null and missing.id is not null)
        else '{}' end as waits_on,
      count(*) filter (where ${isReaddressed}) as to_tell,
      coalesce(sum(cost), 0)::bigint as cost,
      case when count(*) = 1 then min(job_items.username) end as username,
      case when count(*) = 1 then min(line_id::text) end as line_id,
      case when count(*) = 1 then min(after ->> 'expiry_date') end as expiry_date
    from job_items
      left join (
        select distinct on (users.id) users.id, push.server_id, push.username as name, push.synced_revision, server_name,
            coalesce(push.last_finding ->> 'code' = 'PUSH_NOT_REACHED', false) as is_unreached
          from server_accounts as push
          join users on users.id = push.of_line and users.username = push.username and not ${isFormer('push')}
          join cccam_servers on cccam_servers.id = push.server_id
          where push.sync_state = 'failed' and ${visibleTo(lineScope(actor), 'users.owner_id')}
      ) as missing on missing.id = job_items.line_id and ${stillWaits('missing')}
      left join server_accounts as late on late.server_id = job_items.waits_on
        and late.username = job_items.username and late.synced_revision < job_items.waits_for
    where job_id = any(${jobIds}::uuid[]) group by job_id`.execute(db);
  return new Map(rows.map(({ job_id, ...counts }) => [job_id, counts]));
}

async function describeJobs(db: Db, actor: SignedIn, rows: readonly FoundJob[]): Promise<Job[]> {
  const ids = rows.map(({ id }) => id);
  const counted = await countItems(db, actor, ids);
  const credits = await readBalance(db, actor.id);
  return rows.map((row): Job => {
    const { id, action, state, total, undo_of, undone_by } = row;
    const counts = counted.get(id) ?? nothing;
    return {
      ...emptyJob,
      ...counts,
      id,
      action,
      state,
      total,
      undo_of,
      undone_by,
      can_undo: row.undo_refusal === null,
      credits,
      credits_after: credits,
      arguments: row.arguments,
      to_tell: row.keeps_customers ? counts.to_tell : 0,
      skipped: counts.skipped + row.not_found,
      created_at: row.created_at.toISOString(),
      finished_at: row.finished_at?.toISOString() ?? null,
    };
  });
}

export function shownError(error: JobItemError | null): JobItem['error'] {
  return error && { ...error, message: errorText(error.code as ErrorCode, error.data) };
}

/**
 * The emails of the owners that the items name, by account id; empty unless the reader is an administrator, who may see
 * every account.
 */
export async function readOwnerEmails(
  db: Db,
  actor: SignedIn,
  items: readonly Pick<JobItem, 'after'>[],
): Promise<Map<string, string>> {
  const ids = new Set(actor.is_admin ? items.flatMap(({ after }) => after?.owner_id ?? []) : []);
  if (ids.size === 0) return new Map();
  const owners = await db
    .selectFrom('auth_users')
    .select(['id', 'email'])
    .where(sql<SqlBool>`id = any(${[...ids]}::uuid[])`)
    .execute();
  return new Map(owners.map(({ id, email }) => [id, email]));
}

/** The account of a line on its server; of several, one that its server refuses, or has not accepted yet. */
const worstPush = (db: Db) =>
  db
    .selectFrom('server_accounts')
    .selectAll()
    .where(
      sql<SqlBool>`server_accounts.server_id = any(${serversOfUser})
        and server_accounts.username = users.username`,
    )
    .orderBy(sql`array_position(array['failed', 'pending'], server_accounts.sync_state)`)
    .limit(1);

/** SQL of an item's sync state on its line's server; null if there is no line. */
const itemSyncState = sql<SyncState | null>`case when line.id is null then null
  when ${stillWaits('line')} then coalesce(line.push_state, 'synced') else 'synced' end`;

async function readItems(
  db: Db,
  actor: SignedIn,
  jobId: string,
  which: 'all' | 'failed',
  after: number,
): Promise<JobItem[]> {
  let items = db
    .selectFrom('job_items')
    .leftJoin(
      visibleLines(db, lineScope(actor))
        .leftJoinLateral(worstPush(db).as('push'), (join) => join.onTrue())
        .select(['users.id', 'push.last_finding', 'push.sync_state as push_state'])
        .select(['push.server_id', 'push.username as name', 'push.synced_revision'])
        .as('line'),
      (join) =>
        join
          .onRef('line.id', '=', 'job_items.line_id')
          .on('job_items.state', '=', 'done')
          .on('job_items.after', 'is not', null),
    )
    .select(itemColumns)
    .select([itemSyncState.as('sync_state'), 'line.last_finding as sync_finding'])
    .where('job_id', '=', jobId)
    .where('position', '>', after)
    .orderBy('position')
    .limit(MAX_BULK_LINES);
  if (which === 'failed') {
    items = items.where((eb) =>
      eb.or([eb('state', '=', 'failed'), eb(itemSyncState, '=', 'failed')]),
    );
  }
  const found = await items.execute();
  const emails = await readOwnerEmails(db, actor, found);
  return found.map((item) => ({
    ...item,
    owner_email: emails.get(String(item.after?.owner_id)) ?? null,
    error: shownError(item.error),
    sync_message: findingWithMessage(item.sync_finding).message,
  }));
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

/** A job of the actor, or any for administrators, with its items if requested. Throws JOB_NOT_FOUND. */
export async function readJob(
  db: Db,
  actor: SignedIn,
  id: string,
  which: 'all' | 'failed' | 'none' = 'none',
  after = 0,
): Promise<Job> {
  const [described] = await describeJobs(db, actor, [await findJob(db, actor, id)]);
  if (!described) return fail('JOB_NOT_FOUND');
  return which === 'none'
    ? described
    : { ...described, items: await readItems(db, actor, id, which, after) };
}

export async function listOwnJobs(db: Db, actor: SignedIn): Promise<Job[]> {
  const rows = await jobsFor(db, actor)
    .where('account_id', '=', actor.id)
    .where(sql<boolean>`not (${isOneSale} and not ${isInTime})`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LISTED)
    .execute();
  return describeJobs(db, actor, rows);
}

/**
 * Deletes sales and renewals of one line once they can neither be undone nor requested again,
 * because there are many of them.
 */
export async function deleteOldRenewals(db: Db): Promise<void> {
  await sql`delete from jobs
    where finished_at < now() - make_interval(days => ${RENEWALS_KEPT_DAYS}) and ${isOneSale}
      and not ${isNotDelivered}
  `.execute(db);
}

/**
 * Deletes the jobs that ended more than `keepDays` days ago, until `isStopping`. One statement deletes one job, because
 * all requests wait for a statement on the embedded database.
 */
export async function deleteOldJobs(
  db: Db,
  keepDays: number,
  isStopping = () => false,
): Promise<void> {
  while (!isStopping()) {
    const { numAffectedRows = 0n } = await sql`
      delete from jobs where id = (
        select id from jobs where finished_at < now() - make_interval(days => ${keepDays})
          order by finished_at limit 1)`.execute(db);
    if (numAffectedRows === 0n) return;
  }
}
