import type * as contract from '@linekeeper/contract/accounts/accounts.ts';
import type { Transfer } from '@linekeeper/contract/accounts/accounts.ts';
import type { Tx } from '../../db/transaction.ts';
import { findAccountFor } from '../../domain/accounts/allowed-actions.ts';
import { auditBalance, auditedTransfer } from '../../domain/audit/audit-subjects.ts';
import { ISSUANCE, moveCredits, toTransfer } from '../../domain/credits/credits.ts';
import { notifyCreditChange } from '../../domain/credits/notify-change.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';

interface Adjusted {
  account_id: string;
  transfer: Transfer | null;
}

/** Reads and locks the balance until the transaction ends. */
async function lockBalance(tx: Tx, id: string): Promise<number> {
  const account = await tx
    .selectFrom('auth_users')
    .select('credits')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return account ? account.credits : fail('USER_NOT_FOUND');
}

export const setCredits: Mutation<typeof contract.setCredits, Adjusted> = {
  audit: { auditsItself: 'with the balance before and after' },
  commit: async (tx, ctx, { params: { id }, body: { credits, note } }) => {
    const difference = credits - (await lockBalance(tx, id));
    if (difference === 0) {
      await auditBalance(tx, ctx, 'credits.set', id, null, { note });
      return { account_id: id, transfer: null };
    }
    const row = await moveCredits(tx, {
      kind: 'adjustment',
      ...(difference > 0 ? { from_id: ISSUANCE, to_id: id } : { from_id: id, to_id: ISSUANCE }),
      amount: Math.abs(difference),
      actor_id: ctx.actor.id,
      note,
    });
    const transfer = toTransfer(row);
    await notifyCreditChange(tx, id, transfer);
    const data = { note, ...auditedTransfer(transfer) };
    await auditBalance(tx, ctx, 'credits.set', id, transfer, data);
    return { account_id: id, transfer };
  },
  reply: async ({ db, actor }, { account_id, transfer }) => ({
    account: await findAccountFor(db, actor, account_id),
    transfer,
  }),
};
