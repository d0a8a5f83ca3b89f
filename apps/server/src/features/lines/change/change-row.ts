import type { Tx } from '../../../db/transaction.ts';
import { charge, type Sale } from '../../../domain/credits/charge.ts';
import { type SettledAccount, settle } from '../../../domain/delivery/settle.ts';
import {
  refuseHeldName,
  refuseStoredName,
  refuseTakenName,
  refuseUnfitChange,
} from '../../../domain/lines/sent-names.ts';
import type { ActingAccount } from '../price/price.ts';
import { type LineChange, type LockedLine, updateLines } from './locked-line.ts';
import { lineFields, type Plan } from './plan.ts';

async function refuseUnfitName(tx: Tx, line: LockedLine, after: LockedLine): Promise<void> {
  const { username, server_id, suspension } = after;
  await refuseUnfitChange(tx, line, after, 'stored');
  // While it was suspended, its server had only the other name.
  if (line.suspension && !suspension) await refuseStoredName(tx, username, server_id);
}

/**
 * Has the wanted state follow changed lines. Throws USERNAME_EXISTS for a name by which another line still works.
 * `again` is for new passwords.
 */
export async function settleChanged(
  tx: Tx,
  changed: readonly LineChange[],
  again = false,
): Promise<SettledAccount[]> {
  for (const { line, changes } of changed) {
    const { id, server_id, username } = { ...line, ...changes } as LockedLine;
    const isElsewhere = server_id !== line.server_id || username !== line.username;
    if (isElsewhere) await refuseHeldName(tx, { id, server_id, username });
  }
  const ids = changed.map(({ line }) => line.id);
  return settle(tx, ids, { again });
}

/**
 * Stores new values of lines, and has the wanted state follow. What the undo of a job brings back was so before. Throws
 * USERNAME_EXISTS, NAME_TOO_LONG_FOR_CCCAM and NAME_SHARES_FIRST_20.
 */
export async function changeLines(
  tx: Tx,
  changed: readonly LineChange[],
  undoneJobId: string | null = null,
): Promise<SettledAccount[]> {
  if (changed.length === 0) return [];
  await updateLines(tx, changed);
  for (const { line, changes } of changed) {
    const after = { ...line, ...changes } as LockedLine;
    if (undoneJobId) await refuseTakenName(tx, line, after, undoneJobId);
    else await refuseUnfitName(tx, line, after);
  }
  return settleChanged(tx, changed);
}

/** A locked line with the change that is planned for it. */
export interface PlannedLine {
  line: LockedLine;
  plan: Plan;
}

export const changeOf = ({ line, plan }: PlannedLine): LineChange => ({
  line,
  changes: lineFields(plan.after ?? {}),
});

/** What the planned change of a line sells. */
export function salesOf(planned: readonly PlannedLine[]): Sale[] {
  return planned.flatMap(({ line: { id: line_id, username }, plan: { cost, term } }) =>
    term ? [{ kind: 'renewal' as const, ...term, cost, line_id, username }] : [],
  );
}

/**
 * Changes lines as it is planned for them, and pays by one debit, in a job or without one. Throws INSUFFICIENT_CREDITS and
 * what `changeLines` throws.
 */
export async function carryOut(
  tx: Tx,
  { actor }: Pick<ActingAccount, 'actor'>,
  planned: readonly PlannedLine[],
  job_id: string | null = null,
) {
  const charged = await charge(tx, actor, salesOf(planned), job_id);
  return { ...charged, settled: await changeLines(tx, planned.map(changeOf)) };
}
