import type * as contract from '@linekeeper/contract/accounts/accounts.ts';
import type { Transfer } from '@linekeeper/contract/accounts/accounts.ts';
import type { Tx } from '../../db/transaction.ts';
import { checkMayChange } from '../../domain/accounts/account-policy.ts';
import { findAccount, lockBalance } from '../../domain/accounts/accounts.ts';
import { findAccountFor } from '../../domain/accounts/allowed-actions.ts';
import type { SignedIn } from '../../domain/context/access.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { auditBalance, recordMovement } from '../../domain/credits/balance.ts';
import { ISSUANCE, moveCredits } from '../../domain/credits/credits.ts';
import { refuseOwnCredits } from '../../domain/credits/from-above.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { failField } from '../../platform/errors/refusal.ts';

/** Gives credits: an administrator issues new ones; others transfer from their own balance to an account below. */
export const giveCredits = (
  tx: Tx,
  actor: SignedIn,
  to_id: string,
  amount: number,
  note: string | null = null,
): Promise<Transfer> =>
  moveCredits(tx, {
    kind: actor.is_admin ? 'mint' : 'transfer',
    from_id: actor.is_admin ? ISSUANCE : actor.id,
    to_id,
    amount,
    actor_id: actor.id,
    note,
  });

/**
 * Checks that the actor may move credits of the account: administrators may for every account,
 * others for accounts below them. Throws USER_NOT_FOUND, FORBIDDEN or INVALID_USER_ID.
 */
async function checkMovable(tx: Tx, actor: SignedIn, accountId: string): Promise<void> {
  const scope = { account_id: actor.id, sees_all: actor.is_admin };
  checkMayChange(actor, await findAccount(tx, scope, accountId));
  if (accountId === actor.id && !actor.is_admin) failField('id', 'INVALID_USER_ID');
}

const audit = { auditsItself: 'with the balance before and after' };

async function reply<T extends Transfer | null>(
  { db, actor }: Ctx,
  { account_id, transfer }: { account_id: string; transfer: T },
) {
  return { account: await findAccountFor(db, actor, account_id), transfer };
}

export const addCredits: Mutation<typeof contract.addCredits, Transfer> = {
  audit,
  commit: async (tx, ctx, { params: { id }, body }) => {
    await checkMovable(tx, ctx.actor, id);
    const transfer = await giveCredits(tx, ctx.actor, id, body.amount, body.note);
    await recordMovement(tx, ctx, 'credits.add', id, transfer);
    return transfer;
  },
  reply: (ctx, transfer) => reply(ctx, { account_id: transfer.to_id, transfer }),
};

/**
 * Moves credits to the actor's balance, at most those that came from above. An administrator can take any and has no
 * counted balance, so the credits are withdrawn.
 */
export const takeBackCredits: Mutation<typeof contract.takeBackCredits, Transfer> = {
  audit,
  commit: async (tx, ctx, { params: { id }, body: { amount, note = null } }) => {
    const { id: actor_id, is_admin } = ctx.actor;
    await checkMovable(tx, ctx.actor, id);
    const sides = { from_id: id, to_id: is_admin ? ISSUANCE : actor_id };
    if (!is_admin) await refuseOwnCredits(tx, { ...sides, amount });
    const transfer = await moveCredits(tx, { kind: 'take_back', ...sides, amount, actor_id, note });
    await recordMovement(tx, ctx, 'credits.take_back', id, transfer);
    return transfer;
  },
  reply: (ctx, transfer) => reply(ctx, { account_id: transfer.from_id, transfer }),
};

export const setCredits: Mutation<
  typeof contract.setCredits,
  { account_id: string; transfer: Transfer | null }
> = {
  audit,
  commit: async (tx, ctx, { params: { id: account_id }, body: { credits, note } }) => {
    const difference = credits - (await lockBalance(tx, account_id));
    if (difference === 0) {
      await auditBalance(tx, ctx, 'credits.set', account_id, null, { note });
      return { account_id, transfer: null };
    }
    const transfer = await moveCredits(tx, {
      kind: 'adjustment',
      from_id: difference > 0 ? ISSUANCE : account_id,
      to_id: difference > 0 ? account_id : ISSUANCE,
      amount: Math.abs(difference),
      actor_id: ctx.actor.id,
      note,
    });
    await recordMovement(tx, ctx, 'credits.set', account_id, transfer);
    return { account_id, transfer };
  },
  reply,
};
