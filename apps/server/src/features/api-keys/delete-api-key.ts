import type * as contract from '@linekeeper/contract/auth/api-keys.ts';
import { auditOriginOf, writeAudit } from '../../domain/audit/audit.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { removeApiKey } from './store.ts';

/** The key's streams end by the trigger of its row. */
export const deleteApiKey: Mutation<typeof contract.deleteApiKey, null> = {
  audit: {
    auditsItself: 'of the account, with the name of the key that is gone',
    isUncounted: 'its making was counted, and a thief of a key must not prevent this',
  },
  commit: async (tx, ctx, { params: { id } }) => {
    const name = await removeApiKey(tx, ctx.actor.id, id);
    await writeAudit(tx, auditOriginOf(ctx), [
      {
        action: 'account.revoke_api_key',
        subject_type: 'account',
        subject_id: ctx.actor.id,
        data: { api_key_id: id, name },
      },
    ]);
    return null;
  },
  reply: async () => ({ success: true }),
};
