import type { JobItemState } from '@linekeeper/contract/lines/bulk.ts';
import { type RawBuilder, sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import type { JobAction, JobItemError, Offer } from '../../db/schema/job-schema.ts';
import type { Tx } from '../../db/transaction.ts';
import { newId } from '../../platform/ids.ts';
import { countInDay, jobRowsLimit, jobsLimit } from '../accounts/daily-limits.ts';
import type { Fields } from '../audit/audit.ts';
import type { SignedIn } from '../context/access.ts';
import type { Ctx } from '../context/context.ts';
import { serversOfLine } from '../machines/servers.ts';
import { isReaddressed, notifyOwnersOfJob } from './changed-addresses.ts';

/** The account that requests a job, and the facts of its request for the audit log. */
type Asking = Pick<Ctx, 'address' | 'request_id'> & { actor: Pick<SignedIn, 'id'> };

export interface NewJob {
  action: JobAction;
  arguments?: Fields;
  undo_of?: string | null;
  /** True for a job whose items are inserted later. */
  is_queued?: boolean;
  /** Number of requested lines that do not exist, for which there are no items. */
  not_found?: number;
  /** The offer to the account at the request, by which its lines are paid. */
  offer?: Offer;
}

/** A line of a new job, with its values before and after the change. */
export interface NewItem {
  position: number;
  line_id: string | null;
  username: string;
  state: JobItemState;
  error?: JobItemError | null;
  input?: Fields | null;
  cost?: number;
  before?: Fields;
  after?: Fields;
  transfer_id?: string | null;
}

const placesOfItem = serversOfLine(
  sql`coalesce(users.server_id, (item.before ->> 'server_id')::uuid)`,
  sql`coalesce(users.plan_id, (item.before ->> 'plan_id')::uuid)`,
);

/**
 * SQL of `push`, the deliveries for which a completed item waits. A line that the job deleted is still on its servers.
 */
const waitingFor = sql`
        left join users on users.id = item.line_id
        left join lateral (
          -- By their keys: by a join, all that is due anywhere would be read for the sale of a line.
          select (array_agg(server_id))[1] as server_id, (array_agg(revision))[1] as revision,
              case when count(*) > 1 then
                jsonb_agg(jsonb_build_object('server_id', server_id, 'revision', revision)) end as also
            from server_accounts
            where server_id = any(${placesOfItem})
              and username = coalesce(users.username, item.username)
              and item.state = 'done' and (item.after is not null or users.id is null)
              and revision > synced_revision) push on true`;

/**
 * Records the end of a job in its transaction, with the items whose delivery is still pending.
 * Notifies owners whose customers must change the receiver.
 */
export async function noteEnd(tx: Tx, jobId: string, actorId: string): Promise<void> {
  await sql`
    update job_items set waits_on = push.server_id, waits_for = push.revision,
        also_waits = push.also
      from job_items item ${waitingFor}
      where item.job_id = ${jobId} and push.server_id is not null
        and job_items.job_id = item.job_id and job_items.position = item.position`.execute(tx);
  await notifyOwnersOfJob(tx, jobId, actorId);
}

const insertOne = compiledQuery(
  [
    'id',
    'account_id',
    'action',
    'given',
    'state',
    'undo_of',
    'not_found',
    'total',
    'address',
    'request_id',
    'offer',
    'items',
  ],
  (_, job) => sql`
    with job as (
      insert into jobs (id, account_id, action, arguments, state, undo_of, not_found, total, address, request_id,
          offer, finished_at)
        values (${job.id}::uuid, ${job.account_id}, ${job.action}, ${job.given}, ${job.state}::text, ${job.undo_of},
          ${job.not_found}, ${job.total}, ${job.address}, ${job.request_id},
          ${job.offer}::jsonb, case when ${job.state}::text = 'done' then now() end))
    insert into job_items (job_id, position, line_id, username, state, error, input, cost, before, after, transfer_id,
        waits_on, waits_for, also_waits)
      select ${job.id}::uuid, item.position, item.line_id, item.username, item.state, item.error, item.input,
          coalesce(item.cost, 0), item.before, item.after, item.transfer_id, push.server_id, push.revision,
          push.also
        from jsonb_to_recordset(${job.items}::jsonb) as item (
            position integer, line_id uuid, username text, state text, error jsonb, input jsonb,
            cost integer, before jsonb, after jsonb, transfer_id uuid) ${waitingFor}`,
);

/**
 * Inserts a job and its items; returns its id. If no item is waiting, the job is done, and its
 * items wait until their servers have accepted them.
 */
export async function insertJob(
  tx: Tx,
  { actor, address, request_id }: Asking,
  { action, arguments: given = {}, undo_of = null, is_queued, not_found = 0, offer }: NewJob,
  items: readonly NewItem[],
): Promise<string> {
  const id = newId();
  const isToDo = is_queued || items.some((item) => item.state === 'waiting');
  const state = isToDo ? 'queued' : 'done';
  const total = items.length + not_found;
  const by = { account_id: actor.id, address, request_id };
  const values = {
    given: JSON.stringify(given),
    offer: offer ? JSON.stringify(offer) : null,
    items: JSON.stringify(items),
  };
  await insertOne(tx, { id, action, state, undo_of, not_found, total, ...by, ...values });
  return id;
}

/**
 * Inserts a job that an account requests, and counts the job and its items against the daily
 * limits. Throws DAILY_LIMIT_REACHED.
 */
export async function askForJob(
  tx: Tx,
  ctx: Ctx,
  job: NewJob,
  items: readonly NewItem[],
): Promise<string> {
  const id = await insertJob(tx, ctx, job, items);
  await countInDay(tx, ctx.actor, jobsLimit, 1);
  await countInDay(tx, ctx.actor, jobRowsLimit, items.length);
  return id;
}

/** Stores a change of one line as a finished job, so that it can be undone like any job. Returns the job's id. */
export function insertDoneJob(
  tx: Tx,
  asking: Asking,
  job: NewJob,
  item: Omit<NewItem, 'position' | 'state'>,
): Promise<string> {
  return insertJob(tx, asking, job, [{ ...item, position: 1, state: 'done' }]);
}

/** Stores a job whose items `insertItems` inserts. Without items, no job is stored, and its id is null. */
async function storeJob(
  tx: Tx,
  asking: Asking,
  job: NewJob,
  insertItems: (jobId: string) => Promise<number>,
): Promise<{ job_id: string | null; total: number }> {
  const job_id = await insertJob(tx, asking, job, []);
  const total = await insertItems(job_id);
  if (total === 0) await tx.deleteFrom('jobs').where('id', '=', job_id).execute();
  else await tx.updateTable('jobs').set({ total }).where('id', '=', job_id).execute();
  return { job_id: total === 0 ? null : job_id, total };
}

/** Queues a job for the lines that meet an SQL condition, in the order of their ids. */
export const queueJob = (tx: Tx, asking: Asking, job: NewJob, isTheirs: RawBuilder<unknown>) =>
  storeJob(tx, asking, { ...job, is_queued: true }, async (job_id) => {
    const { numAffectedRows = 0n } = await sql`
      insert into job_items (job_id, position, line_id, username, state)
        select ${job_id}::uuid, row_number() over (order by id), id, username, 'waiting'
          from users where ${isTheirs}`.execute(tx);
    return Number(numAffectedRows);
  });

/**
 * Stores a job for work that is done within this transaction, so that the result of each line can be viewed, and
 * notifies owners whose customers must change the receiver; `to_tell` counts these lines. `work` inserts the job's
 * items and returns their number.
 */
export async function recordDoneJob(
  tx: Tx,
  asking: Asking,
  job: NewJob,
  work: (jobId: string) => Promise<number>,
): Promise<{ job_id: string | null; total: number; to_tell: number }> {
  const { job_id, total } = await storeJob(tx, asking, job, work);
  if (job_id === null) return { job_id, total, to_tell: 0 };
  await noteEnd(tx, job_id, asking.actor.id);
  const { to_tell } = await tx
    .selectFrom('job_items')
    .select(sql<number>`count(*)::integer`.as('to_tell'))
    .where('job_id', '=', job_id)
    .where(isReaddressed)
    .executeTakeFirstOrThrow();
  return { job_id, total, to_tell };
}
