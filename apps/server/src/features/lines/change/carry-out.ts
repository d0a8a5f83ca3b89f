import { sql } from 'kysely';
import { violates } from '../../../db/errors.ts';
import type { Tx } from '../../../db/transaction.ts';
import type { SignedIn } from '../../../domain/context/access.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import { charge, type Sale } from '../../../domain/credits/charge.ts';
import { refundAll } from '../../../domain/credits/refund.ts';
import { settle } from '../../../domain/delivery/settle.ts';
import { linesOfRow, notifyOwner } from '../../../domain/lines/changed-addresses.ts';
import { insertDoneJob, type NewJob } from '../../../domain/lines/jobs.ts';
import { readServersOf } from '../../../domain/lines/places.ts';
import {
  refuseUnfitChange,
  refuseUnfitResumption,
  refuseUnfitUndo,
} from '../../../domain/lines/sent-names.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { type ActingAccount, checkQuote } from '../price/price.ts';
import { countNewTrials, type NewTrial, noteMovedTrials } from '../price/trial-limits.ts';
import type { LineUpdate, LockedLine } from './locked-line.ts';
import { lineFields, type Plan } from './plan.ts';

/** A locked line with the change that is planned for it. */
export interface PlannedLine {
  line: LockedLine;
  plan: Plan;
}

/** The constraint that a line's plan exists; the plan may have been deleted since it was read. */
export const PLAN_OF_LINE = 'users_plan_id_fkey';

const changesOf = ({ plan }: PlannedLine): LineUpdate => lineFields(plan.after ?? {});

/** A line with the values of its change. */
export const lineAfter = (planned: PlannedLine): LockedLine => ({
  ...planned.line,
  ...changesOf(planned),
});

/**
 * Stores new values of lines in one statement, for those columns that any of the lines changes.
 * Throws USERNAME_EXISTS if a new name is taken, and PLAN_NOT_FOUND.
 */
async function updateLines(tx: Tx, planned: readonly PlannedLine[]): Promise<void> {
  const rows = planned.map(lineAfter);
  const columns = [...new Set(planned.flatMap((one) => Object.keys(changesOf(one))))].sort();
  const values = columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`changed.${name}`)}`);
  await sql`
    update users set ${sql.join([...values, sql`updated_at = now()`])}
      from jsonb_populate_recordset(null::users, ${JSON.stringify(rows)}::jsonb) as changed
      where users.id = any(${rows.map(({ id }) => id)}::uuid[]) and users.id = changed.id`
    .execute(tx)
    .catch((error: unknown) => {
      if (violates(error, 'users_username_key', 'users_username_normal')) fail('USERNAME_EXISTS');
      if (violates(error, PLAN_OF_LINE)) fail('PLAN_NOT_FOUND');
      throw error;
    });
}

/**
 * Stores new values of lines; an undo restores the names from before its job. Throws NAME_TOO_LONG_FOR_CCCAM,
 * USERNAME_EXISTS and NAME_SHARES_FIRST_20.
 */
async function storeChanges(
  tx: Tx,
  planned: readonly PlannedLine[],
  { actor, undone_job_id }: { actor?: SignedIn; undone_job_id?: string | null },
): Promise<void> {
  if (planned.length === 0) return;
  await updateLines(tx, planned);
  for (const one of planned) {
    const { line } = one;
    const after = lineAfter(one);
    if (undone_job_id) await refuseUnfitUndo(tx, undone_job_id, line, after);
    else {
      await refuseUnfitChange(tx, actor, line, after);
      if (line.suspension && !after.suspension) await refuseUnfitResumption(tx, after);
    }
  }
}

const idsOf = (planned: readonly PlannedLine[]) => planned.map(({ line }) => line.id);

/** Changes lines free of charge, and updates their wanted state. Throws the errors of `storeChanges`. */
export async function changeLines(
  tx: Tx,
  planned: readonly PlannedLine[],
  undone_job_id: string | null = null,
): Promise<void> {
  await storeChanges(tx, planned, { undone_job_id });
  await settle(tx, idsOf(planned));
}

function salesOf(planned: readonly PlannedLine[]): Sale[] {
  return planned.flatMap((one) => {
    const { id: line_id, username } = lineAfter(one);
    const { term } = one.plan;
    return term ? [{ kind: 'renewal' as const, ...term, line_id, username }] : [];
  });
}

const isRenamed = ({ plan }: PlannedLine) => plan.after?.username !== undefined;
const hasNewPlan = ({ plan }: PlannedLine) => plan.after?.plan_id !== undefined;
const hasNewPassword = ({ plan }: PlannedLine) => plan.after?.password !== undefined;

/** Counts trials with a new name, and remembers those with a new name or plan on all their servers. */
async function countTrials(tx: Tx, acting: ActingAccount, planned: readonly PlannedLine[]) {
  const changed = planned.filter((one) => one.line.is_trial && (isRenamed(one) || hasNewPlan(one)));
  if (changed.length === 0) return;
  const serversOf = await readServersOf(tx);
  const asTrial = (one: PlannedLine): NewTrial => {
    const after = lineAfter(one);
    return { ...after, also: serversOf(after).slice(1) };
  };
  await countNewTrials(tx, acting, changed.filter(isRenamed).map(asTrial));
  await noteMovedTrials(tx, acting, changed.map(asTrial));
}

/**
 * Makes the planned changes of lines, pays for them and for lines just inserted by one debit, in a job or without one,
 * and updates the wanted state of all. Throws INSUFFICIENT_CREDITS, PAYER_MISSING, LINE_CHANGED_SINCE, and the errors of
 * `storeChanges` and `countTrials`.
 * Decision 0159: one line is a list of one.
 */
export async function carryOut(
  tx: Tx,
  acting: ActingAccount,
  planned: readonly PlannedLine[],
  job_id: string | null = null,
  made: readonly Sale[] = [],
) {
  const { actor } = acting;
  await storeChanges(tx, planned, { actor });
  await countTrials(tx, acting, planned);
  const replaced = planned.flatMap(({ plan }) => plan.refunds ?? []);
  const given = await refundAll(tx, replaced, { job_id, actor_id: actor.id, note: null });
  // A payment that was refunded in the meantime must not be paid once more.
  if (given.length < replaced.length) fail('LINE_CHANGED_SINCE');
  const charged = await charge(tx, actor, [...made, ...salesOf(planned)], job_id);
  const cost = given.reduce((sum, { amount }) => sum - amount, charged.cost);
  const ids = [...made.map(({ line_id }) => line_id), ...idsOf(planned)];
  // A new password is delivered although the wanted state has none.
  const settled = await settle(tx, ids, { again: planned.some(hasNewPassword) });
  return { ...charged, cost, settled };
}

/**
 * Makes and pays the planned change of one line like a job of one, which is stored as finished, so that it can be undone
 * and its customer notified. Notifies the owner of a new address. `stored` is the part of the change that an undo restores.
 * Without a `job`, none is stored. Throws QUOTE_CHANGED and the errors of `carryOut`.
 */
export async function carryOutOne(
  tx: Tx,
  ctx: Ctx,
  planned: PlannedLine,
  quoted_cost: number | undefined,
  job: NewJob | null,
  stored: Pick<Plan, 'before' | 'after' | 'cost'> = planned.plan,
) {
  checkQuote(quoted_cost, planned.plan.cost);
  const carried = await carryOut(tx, ctx, [planned]);
  const { id: line_id, username, owner_id, server_id } = lineAfter(planned);
  const { before, after, cost } = stored;
  const item = { line_id, username, before: before ?? {}, after: after ?? {}, cost };
  // The move within an edit is free of charge, and its undo leaves what the edit paid.
  const transfer_id = cost === 0 ? null : (carried.transfers.get(line_id) ?? null);
  const job_id = job && (await insertDoneJob(tx, ctx, job, { ...item, transfer_id }));
  if (after?.receivers && owner_id !== ctx.actor.id) {
    const changed = { line_id, username, owner_id, server_id, ...linesOfRow(before, after) };
    await notifyOwner(tx, [changed], job_id ? `/users/tell/${job_id}` : `/users/edit/${line_id}`);
  }
  return { ...carried, job_id };
}
