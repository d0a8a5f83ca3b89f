import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Db, type Tx, transact } from '../../../db/transaction.ts';
import { lockActing } from '../../../domain/accounts/authorization.ts';
import { limitRefusal } from '../../../domain/accounts/limits.ts';
import { writeAudit } from '../../../domain/audit/audit.ts';
import type { SignedIn } from '../../../domain/context/access.ts';
import type { Services } from '../../../domain/context/context.ts';
import { catchRefusal, Refusal } from '../../../platform/errors/refusal.ts';
import { itemError, lineFields } from '../change/plan.ts';
import type { ActingAccount } from '../price/price.ts';
import { RowsRefused } from '../sell/sell-lines.ts';
import { refundTaken } from './awaited-refunds.ts';
import { endJob } from './end-job.ts';
import { type Outcome, type StoredJob, storeOutcomes, type WaitingItem } from './job-items.ts';
import { type JobWork, workOf } from './job-kinds.ts';
import { isToDo, mayBecome } from './job-state.ts';

/** Minimum time in milliseconds between two progress updates. */
const TOUCHED_EVERY_MS = 300;
const ITEMS_AT_ONCE = 20;

/**
 * Locks the account that requested the job, with its current permissions, until the commit: a ban waits for the commit,
 * and then sees the lines that the job created. Throws FORBIDDEN if the account may no longer sell.
 */
async function holdActingAccount(
  tx: Tx,
  { today }: Pick<Services, 'today'>,
  { account_id: id, offer }: StoredJob,
): Promise<ActingAccount> {
  return { actor: await lockActing(tx, id, ['view_users'], 'FORBIDDEN'), today, offer };
}

/** The account of a job that no longer needs its permissions, because its change is already stored. */
const panelActing = async (
  { today }: Pick<Services, 'today'>,
  { account_id: id }: StoredJob,
): Promise<ActingAccount> => {
  const permissions: SignedIn['permissions'] = ['view_users', 'manage_users'];
  return { actor: { id, email: '', group_id: '', is_admin: true, permissions }, today };
};

/** Locks the next items. Waits for an item that another worker holds, because that worker's change may be refused. */
function lockItems(tx: Tx, jobId: string, limit: number): Promise<WaitingItem[]> {
  return tx
    .selectFrom('job_items')
    .select(['position', 'line_id', 'username', 'input'])
    .where('job_id', '=', jobId)
    .where(isToDo)
    .orderBy('position')
    .limit(limit)
    .forUpdate()
    .execute();
}

/** Writes an audit entry for each item that did not fail, with the actor and address of the job's request. */
async function auditOutcomes(
  tx: Tx,
  job: StoredJob,
  { audit }: JobWork,
  outcomes: readonly Outcome[],
): Promise<void> {
  if (audit === null) return;
  const { id: job_id, account_id: actor_id, address, request_id } = job;
  const { subscription_months, reason } = job.arguments;
  const entries = outcomes.flatMap(({ state, line_id, username, months, ...done }) => {
    if (state === 'failed' || line_id === null) return [];
    const { before, after, cost = 0, transfer_id = null, awaited } = done;
    const action = months === undefined ? audit : 'line.renew';
    return {
      action,
      subject_type: 'line' as const,
      subject_id: line_id,
      before: before ? lineFields(before) : null,
      after: after ? lineFields(after) : null,
      data: {
        username,
        job_id,
        // The audit entry has the refund of an undo, even if the refund is delayed until the card
        // server has accepted the change.
        cost: awaited ? -awaited.owed : cost,
        transfer_id,
        ...(action === 'line.renew' && { months: months ?? subscription_months }),
        ...(reason ? { reason } : {}),
      },
    };
  });
  await writeAudit(tx, { actor_id, address, request_id }, entries);
}

/**
 * Fails the item at a position, or all remaining items of a job, unless another worker has carried
 * them out in the meantime. A line with a separate error fails with that error.
 */
async function failItems(
  db: Db,
  jobId: string,
  refused: Refusal,
  position: number | null,
): Promise<void> {
  const problems = refused instanceof RowsRefused ? Object.fromEntries(refused.problems) : {};
  const isMeant = position === null ? sql`true` : sql`position = ${position}`;
  await sql`
    update job_items set state = 'failed', input = null,
        error = coalesce(${JSON.stringify(problems)}::jsonb -> line_id::text,
          ${JSON.stringify(itemError(refused))}::jsonb)
      where job_id = ${jobId} and ${isMeant} and ${isToDo}`.execute(db);
}

/**
 * Carries out up to `limit` items and stores their outcomes in the same transaction, so that each happens exactly once.
 * If they are refused together, for example because there are not enough credits for all, nothing is done; a single
 * item that is refused has failed. Returns false if no item is left.
 */
async function carryOutNext(
  services: Services,
  job: StoredJob,
  work: JobWork,
  limit: number,
): Promise<boolean | 'refused'> {
  const { db } = services;
  let tried: WaitingItem[] = [];
  try {
    return await transact(db, async (tx) => {
      // The account is locked before any item, because another change of the account may wait for the item.
      const acting = await catchRefusal(() =>
        work.isWhole ? panelActing(services, job) : holdActingAccount(tx, services, job),
      );
      tried = await lockItems(tx, job.id, limit);
      if (tried.length === 0) return false;
      if (acting instanceof Refusal) throw acting;
      const outcomes = await work.carryOut(tx, acting, job, tried);
      await storeOutcomes(tx, job.id, outcomes);
      await auditOutcomes(tx, job, work, outcomes);
      return true;
    });
  } catch (thrown) {
    const error = limitRefusal(thrown);
    const [first, second] = tried;
    if (!(error instanceof Refusal) || !first) throw error;
    if (second && !work.failsAsOne) return 'refused';
    await failItems(db, job.id, error, work.failsAsOne ? null : first.position);
    return true;
  }
}

async function carryOutAll(
  services: Services,
  job: StoredJob,
  work: JobWork,
  stopping: AbortSignal,
): Promise<void> {
  const { items_at_once = ITEMS_AT_ONCE } = work;
  let touchedAt = performance.now();
  let oneByOne = 0;
  for (;;) {
    const limit = oneByOne-- > 0 ? 1 : items_at_once;
    const didSome = await carryOutNext(services, job, work, limit);
    if (didSome === false) return;
    if (didSome === 'refused') oneByOne = items_at_once;
    stopping.throwIfAborted();
    if (performance.now() - touchedAt >= TOUCHED_EVERY_MS) {
      const touched = services.db.updateTable('jobs').set({ updated_at: sql`now()` });
      await touched.where('id', '=', job.id).execute();
      touchedAt = performance.now();
    }
    // The turn lets other requests be served, which the embedded database would otherwise block.
    await setImmediate();
  }
}

/**
 * Carries out the remaining items of a job. Throws if it cannot continue, for example without the
 * database; the next run resumes it.
 */
export async function runJob(
  services: Services,
  jobId: string,
  stopping: AbortSignal,
): Promise<void> {
  stopping.throwIfAborted();
  const job = await services.db
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', jobId)
    .where(mayBecome('running'))
    .executeTakeFirst();
  if (!job) return;
  const work = workOf(job);
  if (work) await carryOutAll(services, job, work, stopping);
  if (job.undo_of) await refundTaken(services, job, stopping);
  // If another worker still has an item, that worker ends the job.
  await transact(services.db, (tx) => endJob(tx, jobId, 'done'));
}
