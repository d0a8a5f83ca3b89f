import type * as contract from '@linekeeper/contract/accounts/accounts.ts';
import type { Transfer } from '@linekeeper/contract/accounts/accounts.ts';
import type { SignedIn } from '../../core/access.ts';
import { findAccountFor } from '../../core/accounts/account-acts.ts';
import { findAccount } from '../../core/accounts/accounts.ts';
import { checkTouchable } from '../../core/accounts/powers.ts';
import { auditedTransfer, balanceStates, balanceSubject } from '../../core/audit/audit-subjects.ts';
import { ISSUANCE, moveCredits, toTransfer } from '../../core/credits/credits.ts';
import { tellChange } from '../../core/credits/tell-change.ts';
import { fail, failField } from '../../core/refusal.ts';
import type { Mutation } from '../../core/use-case.ts';
import type { Tx } from '../../db/transaction.ts';

/** What administrators do costs nothing, and their balance is never shown. */
export async function refuseAdministrator(tx: Tx, id: string): Promise<void> {
  const account = await findAccount(tx, { account_id: '', sees_all: true }, id);
  if (account.is_admin) fail('ADMINS_NEED_NO_CREDITS');
}

/** An administrator mints credits; others transfer from their own balance to an account below. */
export async function giveCredits(
  tx: Tx,
  actor: SignedIn,
  to_id: string,
  amount: number,
  note?: string,
): Promise<Transfer> {
  await refuseAdministrator(tx, to_id);
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
  checkTouchable(actor, await findAccount(tx, scope, accountId));
  if (accountId === actor.id && !actor.is_admin) failField('id', 'INVALID_USER_ID');
}

export const addCredits: Mutation<typeof contract.addCredits, Transfer> = {
  audit: {
    action: 'credits.add',
    subject: balanceSubject,
    of: ({ params }) => params.id,
    states: (tx, { params }, transfer) => balanceStates(tx, params.id, transfer),
    data: (_, transfer) => auditedTransfer(transfer),
  },
  commit: async (tx, { actor }, { params, body }) => {
    await checkMovable(tx, actor, params.id);
    const transfer = await giveCredits(tx, actor, params.id, body.amount, body.note);
    await tellChange(tx, params.id, transfer);
    return transfer;
  },
  reply: async ({ db, actor }, transfer) => ({
    account: await findAccountFor(db, actor, transfer.to_id),
    transfer,
  }),
};
