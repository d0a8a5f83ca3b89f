import type { Transfer } from '@linekeeper/contract/accounts/accounts.ts';
import * as contract from '@linekeeper/contract/credits/transfers.ts';
import { findAccountFor } from '../../domain/accounts/allowed-actions.ts';
import { recordMovement } from '../../domain/credits/balance.ts';
import { refund } from '../../domain/credits/refund.ts';
import { type Mutation, route } from '../../domain/use-cases/use-case.ts';
import { listTransfers, transfersCsv } from './list-transfers.ts';
import { checkLedger } from './verify-ledger.ts';

const refundTransfer: Mutation<typeof contract.refundTransfer, Transfer> = {
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

export const creditRoutes = [
  route(contract.listTransfers, listTransfers),
  route(contract.transfersCsv, transfersCsv),
  route(contract.refundTransfer, refundTransfer),
  route(contract.verifyLedger, ({ db, secrets }) => checkLedger(db, secrets)),
];
