import type * as contract from '@linekeeper/contract/accounts.ts';
import type { Transfer } from '@linekeeper/contract/accounts.ts';
import { accountScope, type SignedIn } from '../../core/access.ts';
import { ISSUANCE, moveCredits } from '../../core/credits.ts';
import { failField } from '../../core/refusal.ts';
import type { Mutation } from '../../core/use-case.ts';
import type { Tx } from '../../db/transaction.ts';
import { findAccount } from './store.ts';

/** An administrator mints; anyone else gives from the own balance to an account below. */
export async function giveCredits(
  tx: Tx,
  actor: SignedIn,
  to_id: string,
  amount: number,
  note?: string,
): Promise<Transfer> {
  const row = await moveCredits(tx, {
    ...(actor.is_admin
      ? { kind: 'mint', from_id: ISSUANCE }
      : { kind: 'transfer', from_id: actor.id }),
    to_id,
    amount,
    actor_id: actor.id,
    note: note ?? null,
  });
  return { ...row, kind: row.kind as Transfer['kind'], created_at: row.created_at.toISOString() };
}

export const addCredits: Mutation<typeof contract.addCredits, Transfer> = {
  commit: async (tx, { actor }, { params, body }) => {
    const scope = { account_id: actor.id, sees_all: actor.is_admin };
    await findAccount(tx, scope, params.id);
    if (params.id === actor.id && !actor.is_admin) failField('id', 'INVALID_USER_ID');
    return giveCredits(tx, actor, params.id, body.amount, body.note);
  },
  reply: async ({ db, actor }, transfer) => ({
    account: await findAccount(db, accountScope(actor), transfer.to_id),
    transfer,
  }),
};
