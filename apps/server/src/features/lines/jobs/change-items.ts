import type { JobItemError } from '../../../db/schema/job-schema.ts';
import type { Tx } from '../../../db/transaction.ts';
import { lineScope, type SignedIn } from '../../../domain/context/access.ts';
import { removeLines } from '../../../domain/delivery/settle.ts';
import { catchRefusal, fail, Refusal } from '../../../platform/errors/refusal.ts';
import type { AskedChange } from '../change/asked-change.ts';
import { carryOut, type PlannedLine } from '../change/carry-out.ts';
import { type LockedLine, lockingLines } from '../change/locked-line.ts';
import { itemError, type Plan } from '../change/plan.ts';
import { plannerOf } from '../change/planner.ts';
import type { CarryOut, Outcome, WaitingItem } from './job-items.ts';

type Failed = Outcome & { error: JobItemError };

interface PlannedChange<Item> extends PlannedLine {
  item: Item;
}

/**
 * Locks the lines of items and plans the change of each; also returns the errors of items that
 * cannot be changed. `plannerFor` is called under the lock, because lines are locked before servers
 * in every move. Throws the errors of `plannerFor`.
 */
export async function lockAndPlan<Item extends WaitingItem>(
  tx: Tx,
  actor: SignedIn,
  items: readonly Item[],
  plannerFor: (
    lines: readonly LockedLine[],
  ) => Promise<(line: LockedLine, item: Item) => Plan | Promise<Plan>>,
): Promise<{ planned: PlannedChange<Item>[]; failed: Failed[] }> {
  const ids = items.flatMap(({ line_id }) => line_id ?? []);
  const lines = await lockingLines(tx, lineScope(actor), ids).execute();
  const byId = new Map(lines.map((line) => [line.id, line]));
  const planLine = await plannerFor(lines);
  const planned: PlannedChange<Item>[] = [];
  const failed: Failed[] = [];
  for (const item of items) {
    const one = await catchRefusal(async () => {
      const line = byId.get(item.line_id ?? '') ?? fail('LINE_NOT_FOUND');
      return { item, line, plan: await planLine(line, item) };
    });
    if (one instanceof Refusal) failed.push({ ...item, state: 'failed', error: itemError(one) });
    else planned.push(one);
  }
  return { planned, failed };
}

/** The outcome to store for a job's item whose line was changed. `transfers` has the payments by the ids of lines. */
export function changed(
  { item, line, plan: { before, after, cost } }: PlannedChange<WaitingItem>,
  transfers: ReadonlyMap<string, string>,
): Outcome {
  const { position, line_id, username } = item;
  const transfer_id = transfers.get(line.id) ?? null;
  return { position, line_id, username, state: 'done', before, after, cost, transfer_id };
}

/** Changes or deletes lines. Throws INSUFFICIENT_CREDITS, and the errors of `plannerOf` and `carryOut`. */
export const changeItems: CarryOut = async (tx, acting, job, items) => {
  const work = { ...job.arguments, action: job.action } as AskedChange;
  const { planned, failed } = await lockAndPlan(tx, acting.actor, items, (lines) =>
    plannerOf(tx, acting, work, lines),
  );
  if (work.action === 'delete') {
    await removeLines(
      tx,
      planned.map(({ line }) => line.id),
    );
    return [...failed, ...planned.map((one) => changed(one, new Map()))];
  }
  const { transfers } = await carryOut(tx, acting, planned, job.id);
  return [...failed, ...planned.map((one) => changed(one, transfers))];
};
