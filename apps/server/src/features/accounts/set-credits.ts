import type * as contract from '@linekeeper/contract/accounts/accounts.ts';
import type { Transfer } from '@linekeeper/contract/accounts/accounts.ts';
import type { Tx } from '../../db/transaction.ts';
import { findAccountFor } from '../../domain/accounts/allowed-actions.ts';
import {
  auditedTransfer,
  balanceStates,
  balanceSubject,
} from '../../domain/audit/audit-subjects.ts';
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
  audit: {
    action: 'credits.set',
    subject: balanceSubject,
    of: ({ params }) => params.id,
    states: (tx, { params }, { transfer }) => balanceStates(tx, params.id, transfer),
    data: ({ body }, { transfer }) => ({ note: body.note, ...auditedTransfer(transfer) }),
  },
  commit: async (tx, { actor }, { params, body }) => {
    const { id } = params;
    const difference = body.credits - (await lockBalance(tx, id));
    if (difference === 0) return { account_id: id, transfer: null };
    const row = await moveCredits(tx, {
      kind: 'adjustment',
      ...(difference > 0 ? { from_id: ISSUANCE, to_id: id } : { from_id: id, to_id: ISSUANCE }),
      amount: Math.abs(difference),
      actor_id: actor.id,
      note: body.note,
    });
    const transfer = toTransfer(row);
    await notifyCreditChange(tx, id, transfer);
    return { account_id: id, transfer };
  },
  reply: async ({ db, actor }, { account_id, transfer }) => ({
    account: await findAccountFor(db, actor, account_id),
    transfer,
  }),
};
