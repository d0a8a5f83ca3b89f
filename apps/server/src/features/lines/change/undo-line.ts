import type * as contract from '@linekeeper/contract/lines/line-changes.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../db/transaction.ts';
import { lineSubject } from '../../../domain/audit/audit-subjects.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { readBalance } from '../../../domain/credits/balance.ts';
import { readPaymentsOf, refundAll } from '../../../domain/credits/refund.ts';
import { removeLines } from '../../../domain/delivery/settle.ts';
import { mayBeThere } from '../../../domain/machines/server-accounts.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { lockLine } from './locked-line.ts';

/** SQL condition on a row of `users`: no card server ever had the line, so that nobody was served by it. */
export const isUndelivered = sql<boolean>`(
  not exists (select from line_pushes where line_pushes.line_id = users.id and ok)
  and not exists (select from server_accounts where of_line = users.id and ${mayBeThere}))`;

/**
 * Takes lines back that no card server ever had, with all that was paid for them; their trials are not counted. Returns
 * the credits given back, by id of the line.
 */
export async function takeBackUndelivered(
  tx: Tx,
  actor_id: string,
  line_ids: readonly string[],
  job_id: string | null,
): Promise<Map<string, number>> {
  const refunded = new Map(line_ids.map((id) => [id, 0]));
  if (line_ids.length === 0) return refunded;
  await removeLines(tx, line_ids);
  await sql`delete from trials_made where line_id = any(${line_ids}::uuid[])`.execute(tx);
  const payments = await readPaymentsOf(tx, line_ids);
  const ids = payments.map(({ id }) => id);
  const given = await refundAll(tx, { id: job_id, account_id: actor_id }, ids);
  for (const { id, line_id } of payments) {
    refunded.set(line_id, (refunded.get(line_id) ?? 0) + (given.get(id) ?? 0));
  }
  return refunded;
}

interface Undone {
  username: string;
  refunded: number;
  credits: number;
}

export const undoLine: Mutation<typeof contract.undoLine, Undone> = {
  audit: {
    action: 'line.undo',
    subject: lineSubject,
    of: ({ params }) => params.id,
    data: (_, { username, refunded }) => ({ username, cost: -refunded }),
    isUncounted: 'its making was counted or paid',
  },
  commit: async (tx, { actor }, { params }) => {
    const { id, username } = await lockLine(tx, lineScope(actor), params.id);
    const line = await tx
      .selectFrom('users')
      .select('id')
      .where('id', '=', id)
      .where(isUndelivered)
      .executeTakeFirst();
    const payments = await readPaymentsOf(tx, [id]);
    const isPayer = payments.length === 0 || payments.some(({ from_id }) => from_id === actor.id);
    if (!line || !(isPayer || actor.is_admin)) fail('LINE_NOT_UNDOABLE');
    const refunded = (await takeBackUndelivered(tx, actor.id, [id], null)).get(id) ?? 0;
    return { username, refunded, credits: await readBalance(tx, actor.id) };
  },
  reply: async (_, { refunded, credits }) => ({ refunded, credits }),
};
