import type * as contract from '@linekeeper/contract/accounts.ts';
import type { Transfer } from '@linekeeper/contract/accounts.ts';
import { accountScope, type SignedIn } from '../../core/access.ts';
import { findAccount } from '../../core/accounts.ts';
import { ISSUANCE, moveCredits, toTransfer } from '../../core/credits.ts';
import { failField } from '../../core/refusal.ts';
import type { Mutation } from '../../core/use-case.ts';
import type { Tx } from '../../db/transaction.ts';

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
  return toTransfer(row);
}

/** Whose credits somebody may move: those below, and an administrator everybody's. */
export async function checkMovable(tx: Tx, actor: SignedIn, accountId: string): Promise<void> {
  const scope = { account_id: actor.id, sees_all: actor.is_admin };
  await findAccount(tx, scope, accountId);
  if (accountId === actor.id && !actor.is_admin) failField('id', 'INVALID_USER_ID');
}

export const addCredits: Mutation<typeof contract.addCredits, Transfer> = {
  commit: async (tx, { actor }, { params, body }) => {
    await checkMovable(tx, actor, params.id);
    return giveCredits(tx, actor, params.id, body.amount, body.note);
  },
  reply: async ({ db, actor }, transfer) => ({
    account: await findAccount(db, accountScope(actor), transfer.to_id),
    transfer,
  }),
};
