import type { Transfer } from '@linekeeper/contract/accounts/accounts.ts';
import type * as contract from '@linekeeper/contract/credits/transfers.ts';
import { findAccountFor } from '../../domain/accounts/allowed-actions.ts';
import { recordMovement } from '../../domain/credits/balance-changes.ts';
import { refund } from '../../domain/credits/refund.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';

export const refundTransfer: Mutation<typeof contract.refundTransfer, Transfer> = {
  audit: { auditsItself: 'with the balance before and after' },
  commit: async (tx, ctx, { params, body: { note = null } }) => {
    const transfer = await refund(tx, { transfer_id: params.id, actor_id: ctx.actor.id, note });
    await recordMovement(tx, ctx, 'credits.refund', transfer.to_id, transfer);
    return transfer;
  },
  reply: async ({ db, actor }, transfer) => ({
    account: await findAccountFor(db, actor, transfer.to_id),
    transfer,
  }),
};
