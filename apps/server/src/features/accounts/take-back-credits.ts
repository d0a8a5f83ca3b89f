import type * as contract from '@linekeeper/contract/accounts/accounts.ts';
import type { Transfer } from '@linekeeper/contract/accounts/accounts.ts';
import { findAccountFor } from '../../domain/accounts/allowed-actions.ts';
import { auditBalance, auditedTransfer } from '../../domain/audit/audit-subjects.ts';
import { ISSUANCE, moveCredits, toTransfer } from '../../domain/credits/credits.ts';
import { refuseOwnCredits } from '../../domain/credits/from-above.ts';
import { notifyCreditChange } from '../../domain/credits/notify-change.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { checkMovable } from './add-credits.ts';

/**
 * Moves credits to the actor's balance, at most what came from above; an administrator takes any and has
 * no balance, so the credits are destroyed.
 */
export const takeBackCredits: Mutation<typeof contract.takeBackCredits, Transfer> = {
  audit: { auditsItself: 'with the balance before and after' },
  commit: async (tx, ctx, { params: { id }, body }) => {
    const { actor } = ctx;
    await checkMovable(tx, actor, id);
    const sides = { from_id: id, to_id: actor.is_admin ? ISSUANCE : actor.id };
    if (!actor.is_admin) await refuseOwnCredits(tx, { ...sides, amount: body.amount });
    const row = await moveCredits(tx, {
      kind: 'take_back',
      ...sides,
      amount: body.amount,
      actor_id: actor.id,
      note: body.note ?? null,
    });
    const transfer = toTransfer(row);
    await notifyCreditChange(tx, id, transfer);
    await auditBalance(tx, ctx, 'credits.take_back', id, transfer, auditedTransfer(transfer));
    return transfer;
  },
  reply: async ({ db, actor }, transfer) => ({
    account: await findAccountFor(db, actor, transfer.from_id),
    transfer,
  }),
};
