import { type SqlBool, sql } from 'kysely';
import type { Tx } from '../../../db/transaction.ts';
import { holdAccount } from '../../../domain/accounts/accounts.ts';
import { lineScope, visibleTo } from '../../../domain/context/access.ts';
import { refundAll } from '../../../domain/credits/refund.ts';
import { removeLines } from '../../../domain/delivery/settle.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { type ChangeableLine, changeableColumns } from '../change/locked-line.ts';
import { isUnchanged, planDeletion } from '../change/plan.ts';
import type { Outcome, WaitingItem } from '../jobs/job-items.ts';
import type { JobRow } from '../jobs/jobs-store.ts';
import { findUsed, keepDays } from '../jobs/kept-days.ts';
import type { ActingAccount } from '../price/price.ts';
import { findAwaited } from './taken-back.ts';

/** A line that an import or a sale has made, and what was paid for it. */
interface Made {
  position: number;
  line: ChangeableLine;
  transfer_id: string | null;
  cost: number;
}

/** Locks the lines in order of their ids, as every job does. Throws LINE_CHANGED_SINCE if one cannot be taken back. */
async function lockMade(
  tx: Tx,
  { actor }: ActingAccount,
  undone_id: string,
  items: readonly WaitingItem[],
): Promise<Made[]> {
  const positions = items.map(({ position }) => position);
  const rows = await tx
    .selectFrom('job_items')
    .select(['position', 'before', 'after', 'transfer_id', 'cost'])
    .where('job_id', '=', undone_id)
    .where('position', 'in', positions)
    .execute();
  const lines = await tx
    .selectFrom('users')
    .select([...changeableColumns, sql<SqlBool>`updated_at = created_at`.as('is_as_made')])
    .where(sql<SqlBool>`users.id = any(${items.flatMap(({ line_id }) => line_id ?? [])}::uuid[])`)
    .where(visibleTo(lineScope(actor), 'users.owner_id'))
    .orderBy('users.id')
    .forUpdate()
    .execute();
  const [rowAt, lineOf] = [
    new Map(rows.map((row) => [row.position, row])),
    new Map(lines.map((line) => [line.id, line])),
  ];
  return items.map(({ position, line_id }) => {
    const [row, line] = [rowAt.get(position), lineOf.get(line_id ?? '')];
    const isAsMade = row?.before === null && row.after && line?.is_as_made;
    if (!isAsMade || !isUnchanged(line, row.after ?? {})) return fail('LINE_CHANGED_SINCE');
    return { position, line, transfer_id: row.transfer_id, cost: row.cost };
  });
}

/**
 * Takes back several lines that an import or a sale has made, with ten statements in total instead of ten for each.
 * Throws a Refusal if one of them is not to be taken back; then nothing is done.
 */
export async function undoImported(
  tx: Tx,
  acting: ActingAccount,
  job: JobRow,
  items: readonly WaitingItem[],
): Promise<Outcome[]> {
  const made = await lockMade(tx, acting, job.undo_of ?? '', items);
  const lines = made.map(({ line }) => line);
  // Used lines are found before they are deleted on their servers.
  const used = await findUsed(tx, lines);
  await removeLines(
    tx,
    lines.map(({ id }) => id),
  );
  const paid = made.flatMap(({ transfer_id, ...row }) =>
    transfer_id === null ? [] : { ...row, transfer_id },
  );
  const usedTransfers = paid.flatMap(({ line, transfer_id }) =>
    used.has(line.id) ? transfer_id : [],
  );
  // Rows of one undo wait for each other here, so that their days are added up.
  if (usedTransfers.length > 0) await holdAccount(tx, acting.actor.id);
  const kept = await keepDays(tx, job.id, usedTransfers);
  const keptOf = (transfer_id: string) => kept.get(transfer_id)?.kept ?? 0;
  const awaited = await findAwaited(tx, lines);
  const given = await refundAll(
    tx,
    job.id,
    paid.flatMap(({ transfer_id, cost, line }) =>
      keptOf(transfer_id) === cost || awaited.has(line.id)
        ? []
        : { transfer_id, actor_id: acting.actor.id, kept: keptOf(transfer_id) },
    ),
  );
  return made.map(({ position, line, transfer_id, cost }) => {
    const awaits = awaited.get(line.id);
    const undone = { position, ...planDeletion(line), transfer_id: null };
    if (awaits) {
      const owed = transfer_id === null ? 0 : cost - keptOf(transfer_id);
      const refund = { transfer_id: owed > 0 ? transfer_id : null, owed, awaits };
      const input = { ...kept.get(transfer_id ?? ''), ...refund };
      return { ...undone, state: 'waiting', cost: 0, input };
    }
    return {
      ...undone,
      state: 'done',
      cost: -(given.get(transfer_id ?? '') ?? 0) || 0,
      input: kept.get(transfer_id ?? '') ?? null,
    };
  });
}
