import type * as contract from '@linekeeper/contract/accounts/accounts.ts';
import type { Transfer } from '@linekeeper/contract/accounts/accounts.ts';
import { findAccountFor } from '../../core/accounts/account-acts.ts';
import { auditedTransfer, balanceStates, balanceSubject } from '../../core/audit/audit-subjects.ts';
import { ISSUANCE, moveCredits, toTransfer } from '../../core/credits/credits.ts';
import { tellChange } from '../../core/credits/tell-change.ts';
import { fail } from '../../core/refusal.ts';
import type { Mutation } from '../../core/use-case.ts';
import type { Tx } from '../../db/transaction.ts';
import { refuseAdministrator } from './add-credits.ts';

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
    if (difference > 0) await refuseAdministrator(tx, id);
    const row = await moveCredits(tx, {
      kind: 'adjustment',
      ...(difference > 0 ? { from_id: ISSUANCE, to_id: id } : { from_id: id, to_id: ISSUANCE }),
      amount: Math.abs(difference),
      actor_id: actor.id,
      note: body.note,
    });
    const transfer = toTransfer(row);
    await tellChange(tx, id, transfer);
    return { account_id: id, transfer };
  },
  reply: async ({ db, actor }, { account_id, transfer }) => ({
    account: await findAccountFor(db, actor, account_id),
    transfer,
  }),
};
