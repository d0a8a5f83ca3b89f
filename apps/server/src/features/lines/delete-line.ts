import type * as contract from '@linekeeper/contract/line-changes.ts';
import { lineScope } from '../../core/access.ts';
import { audit } from '../../core/audit.ts';
import { wantOnServer } from '../../core/pushes.ts';
import type { Mutation } from '../../core/use-case.ts';
import type { Tx } from '../../db/transaction.ts';
import { type PushTarget, pushAll } from './answer-change.ts';
import type { Changer } from './extend-line.ts';
import { type LockedLine, lockLine } from './locked-line.ts';

/** Nothing is paid back. Its name is free at once; its server is told until it has let it go. */
export async function removeLine(
  tx: Tx,
  { actor }: Changer,
  { id, username, server_id, owner_id, expiry_date }: LockedLine,
): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute();
  await wantOnServer(tx, { server_id, username, wanted: null, operation: 'delete' });
  await audit(tx, {
    actor_id: actor.id,
    action: 'line.delete',
    subject_type: 'line',
    subject_id: id,
    data: { username, owner_id, server_id, expiry_date },
  });
}

export const deleteLine: Mutation<typeof contract.deleteLine, PushTarget> = {
  commit: async (tx, ctx, { params }) => {
    const line = await lockLine(tx, lineScope(ctx.actor), params.id);
    await removeLine(tx, ctx, line);
    return { server_id: line.server_id, username: line.username };
  },
  reply: async (ctx, target) => ({ sync: await pushAll(ctx, [target]) }),
};
