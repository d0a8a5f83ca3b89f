import type * as contract from '@linekeeper/contract/lines/line-changes.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../db/transaction.ts';
import { lineSubject } from '../../../domain/audit/audit-subjects.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { readBalance } from '../../../domain/credits/balance.ts';
import { readLinePayments, refundOnce } from '../../../domain/credits/refund.ts';
import { removeLine } from '../../../domain/delivery/remove-line.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { type LockedLine, lockLine } from '../change/locked-line.ts';
import { findAwaited } from './taken-back.ts';

/** Deletes the line. False if a card server had it, or may have it by an attempt that had no answer. */
async function removeUndelivered(tx: Tx, line: LockedLine): Promise<boolean> {
  const { rows } = await sql`select from line_pushes
    where line_id = ${line.id} and ok and operation <> 'delete' limit 1`.execute(tx);
  await removeLine(tx, line);
  return rows.length === 0 && (await findAwaited(tx, [line])).size === 0;
}

/** Takes back a line that never got to its server, at any time: nobody had anything of it. */
export const undoLine: Mutation<typeof contract.undoLine, { refunded: number }> = {
  audit: {
    action: 'line.undo',
    subject: lineSubject,
    of: ({ params }) => params.id,
    data: (_, { refunded }) => ({ cost: -refunded }),
    isUncounted: 'its making was counted or paid',
  },
  commit: async (tx, { actor }, { params }) => {
    const line = await lockLine(tx, lineScope(actor), params.id);
    const payments = await readLinePayments(tx, line.id);
    const isPayer = actor.is_admin || payments.some(({ from_id }) => from_id === actor.id);
    const isUndone = isPayer && payments.length > 0 && (await removeUndelivered(tx, line));
    if (!isUndone) fail('LINE_NOT_UNDOABLE');
    let refunded = 0;
    for (const { id: transfer_id } of payments) {
      const given = await refundOnce(tx, { transfer_id, actor_id: actor.id });
      refunded += given?.amount ?? 0;
    }
    return { refunded };
  },
  reply: async ({ db, actor }, { refunded }) => ({
    refunded,
    credits: await readBalance(db, actor.id),
  }),
};
