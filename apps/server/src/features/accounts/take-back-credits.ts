import type * as contract from '@linekeeper/contract/accounts.ts';
import type { Transfer } from '@linekeeper/contract/accounts.ts';
import { accountScope } from '../../core/access.ts';
import { findAccount } from '../../core/accounts.ts';
import { ISSUANCE, moveCredits, toTransfer } from '../../core/credits.ts';
import type { Mutation } from '../../core/use-case.ts';
import { checkMovable } from './add-credits.ts';

/** To the own balance; an administrator has none that counts, so there credits go out of use. */
export const takeBackCredits: Mutation<typeof contract.takeBackCredits, Transfer> = {
  commit: async (tx, { actor }, { params, body }) => {
    await checkMovable(tx, actor, params.id);
    const row = await moveCredits(tx, {
      kind: 'take_back',
      from_id: params.id,
      to_id: actor.is_admin ? ISSUANCE : actor.id,
      amount: body.amount,
      actor_id: actor.id,
      note: body.note ?? null,
    });
    return toTransfer(row);
  },
  reply: async ({ db, actor }, transfer) => ({
    account: await findAccount(db, accountScope(actor), transfer.from_id),
    transfer,
  }),
};
