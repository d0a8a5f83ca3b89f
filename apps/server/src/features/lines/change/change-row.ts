import type { Tx } from '../../../db/transaction.ts';
import type { SignedIn } from '../../../domain/context/access.ts';
import { charge, type Sale } from '../../../domain/credits/charge.ts';
import { type SettledAccount, settle } from '../../../domain/delivery/settle.ts';
import { checkNames, refuseName, refuseUnfitChange } from '../../../domain/lines/sent-names.ts';
import type { ActingAccount } from '../price/price.ts';
import { type LineChange, type LockedLine, updateLines } from './locked-line.ts';
import { lineFields, type Plan } from './plan.ts';

/** Throws NAME_SHARES_FIRST_20: while the line was suspended, its server had only the other name. */
async function refuseResumedName(tx: Tx, { username, server_id }: LockedLine): Promise<void> {
  const asked = { server_id, names: [username], isStored: true };
  refuseName(await checkNames(tx, { ...asked, except: ['long', 'held'] }));
}

/** Who changes lines, and the job whose undo brings back what was so before. */
interface Changing {
  actor?: Pick<SignedIn, 'is_admin'>;
  undone_job_id?: string | undefined;
}

/** Stores new values of lines. Throws NAME_TOO_LONG_FOR_CCCAM, USERNAME_EXISTS and NAME_SHARES_FIRST_20. */
export async function storeChanges(
  tx: Tx,
  changed: readonly LineChange[],
  { actor, undone_job_id }: Changing = {},
): Promise<void> {
  await updateLines(tx, changed);
  const asked = { actor, undone_job_id, isStored: true };
  for (const { line, changes } of changed) {
    const after = { ...line, ...changes } as LockedLine;
    await refuseUnfitChange(tx, line, after, { ...asked, except: undone_job_id ? ['long'] : [] });
    if (line.suspension && !after.suspension && !undone_job_id) await refuseResumedName(tx, after);
  }
}

/** Like `storeChanges`, throws what that throws, and has the wanted state follow. */
export async function changeLines(
  tx: Tx,
  changed: readonly LineChange[],
  changing: Changing = {},
): Promise<SettledAccount[]> {
  if (changed.length === 0) return [];
  await storeChanges(tx, changed, changing);
  return settle(
    tx,
    changed.map(({ line }) => line.id),
  );
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
