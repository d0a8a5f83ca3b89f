import type { Tx } from '../../../db/transaction.ts';
import { readAccount } from '../../../domain/accounts/accounts.ts';
import { lockPermissions } from '../../../domain/accounts/authorization.ts';
import { lineScope } from '../../../domain/context/access.ts';
import type { Services } from '../../../domain/context/context.ts';
import { removeLines } from '../../../domain/delivery/settle.ts';
import { fail, Refusal } from '../../../platform/errors/refusal.ts';
import type { AskedChange } from '../change/asked-change.ts';
import { carryOut, type PlannedLine } from '../change/carry-out.ts';
import { type LockedLine, lockingLines } from '../change/locked-line.ts';
import { itemError, type Plan, tryPlan } from '../change/plan.ts';
import { plannerOf } from '../change/planner.ts';
import type { ActingAccount } from '../price/price.ts';
import type { JobRow, Outcome, WaitingItem } from './job-items.ts';

/**
 * The account that requested the job, as it is now, under a lock until the commit: a ban waits for that, and sees what
 * the account made. Throws FORBIDDEN if it may not sell any more.
 */
export async function holdActingAccount(
  tx: Tx,
  { today, readPrices }: Pick<Services, 'today' | 'readPrices'>,
  id: string,
): Promise<ActingAccount> {
  const account = await readAccount(tx, 'id', id, ['id', 'email']);
  if (!account) return fail('FORBIDDEN');
  const unread = { group_id: '', is_admin: false, permissions: [] };
  const refusals = { signedOut: 'FORBIDDEN', forbidden: 'FORBIDDEN' } as const;
  const actor = await lockPermissions(tx, { ...account, ...unread }, ['view_users'], refusals);
  return { actor, today, readPrices };
}

interface PlannedRow extends PlannedLine {
  position: number;
}

/**
 * Locks the lines of rows and plans the change of each; also the errors of those that cannot be changed. `plannerFor` is
 * called under the lock: lines are locked before servers, in the order in which every move locks them. Throws what that throws.
 */
export async function planRows<Item extends WaitingItem>(
  tx: Tx,
  { actor }: ActingAccount,
  items: readonly Item[],
  plannerFor: (
    lines: readonly LockedLine[],
  ) => Promise<(line: LockedLine, item: Item) => Plan | Promise<Plan>>,
): Promise<{ planned: PlannedRow[]; failed: Outcome[] }> {
  const ids = items.flatMap(({ line_id }) => line_id ?? []);
  const lines = await lockingLines(tx, lineScope(actor), ids).execute();
  const byId = new Map(lines.map((line) => [line.id, line]));
  const planLine = await plannerFor(lines);
  const planned: PlannedRow[] = [];
  const failed: Outcome[] = [];
  for (const item of items) {
    const { position, line_id } = item;
    const line = byId.get(line_id ?? '');
    const plan = await tryPlan(line, (there) => planLine(there, item));
    if (line && !(plan instanceof Refusal)) planned.push({ position, line, plan });
    else if (plan instanceof Refusal)
      failed.push({ position, state: 'failed', error: itemError(plan) });
  }
  return { planned, failed };
}

/** The results of rows that are paid by these transfers, by ids of their lines. */
export function outcomesOf(
  planned: readonly PlannedRow[],
  transfers: ReadonlyMap<string, string> = new Map(),
): Outcome[] {
  return planned.map(({ position, line, plan: { before, after, cost } }) => {
    const transfer_id = transfers.get(line.id) ?? null;
    return { position, state: 'done', before, after, cost, transfer_id };
  });
}

/**
 * Carries out rows of a job; returns the errors of those that cannot be done. Where they cannot be done together, nothing is
 * done: throws INSUFFICIENT_CREDITS, and what `plannerOf` and `changeLines` throw.
 */
export async function applyRows(
  tx: Tx,
  acting: ActingAccount,
  job: JobRow,
  items: readonly WaitingItem[],
): Promise<Outcome[]> {
  const work = { ...job.arguments, action: job.action } as AskedChange;
  const { planned, failed } = await planRows(tx, acting, items, (lines) =>
    plannerOf(tx, acting, work, lines),
  );
  if (work.action === 'delete') {
    await removeLines(
      tx,
      planned.map(({ line }) => line.id),
    );
    return [...failed, ...outcomesOf(planned)];
  }
  const { transfers } = await carryOut(tx, acting, planned, job.id);
  return [...failed, ...outcomesOf(planned, transfers)];
}
