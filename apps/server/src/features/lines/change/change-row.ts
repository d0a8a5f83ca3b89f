import type { Tx } from '../../../db/transaction.ts';
import type { SignedIn } from '../../../domain/context/access.ts';
import { charge, type Sale } from '../../../domain/credits/charge.ts';
import { type SettledAccount, settle } from '../../../domain/delivery/settle.ts';
import {
  refuseUnfitChange,
  refuseUnfitResumption,
  refuseUnfitUndo,
} from '../../../domain/lines/sent-names.ts';
import type { ActingAccount } from '../price/price.ts';
import { countNewTrials } from '../price/trial-limits.ts';
import { type LineChange, type LockedLine, updateLines } from './locked-line.ts';
import { lineFields, type Plan } from './plan.ts';

/** Who changes lines, and the job whose undo brings back what was so before. */
interface Changing {
  actor?: Pick<SignedIn, 'is_admin'>;
  undone_job_id?: string | undefined;
}

/** Stores new values of lines. Throws NAME_TOO_LONG_FOR_CCCAM, USERNAME_EXISTS and NAME_SHARES_FIRST_20. */
async function storeChanges(
  tx: Tx,
  changed: readonly LineChange[],
  { actor, undone_job_id }: Changing,
): Promise<void> {
  if (changed.length === 0) return;
  await updateLines(tx, changed);
  for (const { line, changes } of changed) {
    const after = { ...line, ...changes } as LockedLine;
    if (undone_job_id) await refuseUnfitUndo(tx, undone_job_id, line, after);
    else {
      await refuseUnfitChange(tx, actor, line, after);
      if (line.suspension && !after.suspension) await refuseUnfitResumption(tx, after);
    }
  }
}

/** Changes lines free of charge, and has the wanted state follow. Throws what `storeChanges` throws. */
export async function changeLines(
  tx: Tx,
  changed: readonly LineChange[],
  changing: Changing = {},
): Promise<SettledAccount[]> {
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

/** A line as it is once its change is stored. */
export const lineAfter = (planned: PlannedLine) =>
  ({ ...planned.line, ...changeOf(planned).changes }) as LockedLine;

function salesOf(planned: readonly PlannedLine[]): Sale[] {
  return planned.flatMap((one) => {
    const { id: line_id, username } = lineAfter(one);
    const { term } = one.plan;
    return term ? [{ kind: 'renewal' as const, ...term, line_id, username }] : [];
  });
}

const isRenamed = ({ plan }: PlannedLine) => plan.after?.username !== undefined;
const hasNewPassword = ({ plan }: PlannedLine) => plan.after?.password !== undefined;

export type Carried = Awaited<ReturnType<typeof carryOut>>;

/**
 * Changes lines as it is planned for them, pays for that and for lines just made by one debit, in a job or without one, and
 * has the wanted state of all follow. Throws INSUFFICIENT_CREDITS, PAYER_MISSING, and what `storeChanges` and
 * `countNewTrials` throw.
 */
export async function carryOut(
  tx: Tx,
  acting: ActingAccount,
  planned: readonly PlannedLine[],
  job_id: string | null = null,
  made: readonly Sale[] = [],
) {
  const { actor } = acting;
  await storeChanges(tx, planned.map(changeOf), { actor });
  const renamedTrials = planned.filter((one) => one.line.is_trial && isRenamed(one));
  await countNewTrials(tx, acting, renamedTrials.map(lineAfter));
  const charged = await charge(tx, actor, [...made, ...salesOf(planned)], job_id);
  const ids = [...made.map(({ line_id }) => line_id), ...planned.map(({ line }) => line.id)];
  // A new password is delivered although the wanted state has none.
  const settled = await settle(tx, ids, { again: planned.some(hasNewPassword) });
  return { ...charged, settled };
}
