import type { Transfer } from '@linekeeper/contract/accounts/accounts.ts';
import type * as contract from '@linekeeper/contract/credits/transfers.ts';
import { findAccountFor } from '../../domain/accounts/allowed-actions.ts';
import {
  auditedTransfer,
  balanceStates,
  balanceSubject,
} from '../../domain/audit/audit-subjects.ts';
import { notifyCreditChange } from '../../domain/credits/notify-change.ts';
import { refund } from '../../domain/credits/refund.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';

export const refundTransfer: Mutation<typeof contract.refundTransfer, Transfer> = {
  audit: {
    action: 'credits.refund',
    subject: balanceSubject,
    made: ({ to_id }) => to_id,
    states: (tx, _, transfer) => balanceStates(tx, transfer.to_id, transfer),
    data: (_, transfer) => auditedTransfer(transfer),
  },
  commit: async (tx, { actor }, { params, body }) => {
    const paid = { transfer_id: params.id, actor_id: actor.id, note: body.note };
    const transfer = await refund(tx, paid);
    await notifyCreditChange(tx, transfer.to_id, transfer);
    return transfer;
  },
  reply: async ({ db, actor }, transfer) => ({
    account: await findAccountFor(db, actor, transfer.to_id),
    transfer,
  }),
};
