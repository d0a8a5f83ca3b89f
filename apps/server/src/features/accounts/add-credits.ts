import type * as contract from '@linekeeper/contract/accounts/accounts.ts';
import type { Transfer } from '@linekeeper/contract/accounts/accounts.ts';
import type { Tx } from '../../db/transaction.ts';
import { checkMayChange } from '../../domain/accounts/account-policy.ts';
import { findAccount } from '../../domain/accounts/accounts.ts';
import { findAccountFor } from '../../domain/accounts/allowed-actions.ts';
import { auditBalance, auditedTransfer } from '../../domain/audit/audit-subjects.ts';
import type { SignedIn } from '../../domain/context/access.ts';
import { ISSUANCE, moveCredits, toTransfer } from '../../domain/credits/credits.ts';
import { notifyCreditChange } from '../../domain/credits/notify-change.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { failField } from '../../platform/errors/refusal.ts';

/** An administrator mints credits; others transfer from their own balance to an account below. */
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

/** Others than administrators may move credits of accounts below them only. Throws if not permitted. */
export async function checkMovable(tx: Tx, actor: SignedIn, accountId: string): Promise<void> {
  const scope = { account_id: actor.id, sees_all: actor.is_admin };
  checkMayChange(actor, await findAccount(tx, scope, accountId));
  if (accountId === actor.id && !actor.is_admin) failField('id', 'INVALID_USER_ID');
}

export const addCredits: Mutation<typeof contract.addCredits, Transfer> = {
  audit: { auditsItself: 'with the balance before and after' },
  commit: async (tx, ctx, { params: { id }, body }) => {
    await checkMovable(tx, ctx.actor, id);
    const transfer = await giveCredits(tx, ctx.actor, id, body.amount, body.note);
    await notifyCreditChange(tx, id, transfer);
    await auditBalance(tx, ctx, 'credits.add', id, transfer, auditedTransfer(transfer));
    return transfer;
  },
  reply: async ({ db, actor }, transfer) => ({
    account: await findAccountFor(db, actor, transfer.to_id),
    transfer,
  }),
};
