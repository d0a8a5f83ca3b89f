import type * as contract from '@linekeeper/contract/lines/line-changes.ts';
import { lineScope } from '../../../core/access.ts';
import { lineSubject } from '../../../core/audit/audit-subjects.ts';
import { syncReply } from '../../../core/pushes/sync-reply.ts';
import { wantOnServer } from '../../../core/pushes/wanted-state.ts';
import type { Mutation } from '../../../core/use-case.ts';
import type { Tx } from '../../../db/transaction.ts';
import { type LockedLine, lockLine } from '../locked-line.ts';
import { type PushTarget, pushAll } from '../reply-with-sync.ts';

/** Refunds nothing. The name is available at once; its server gets a deletion until it succeeds. */
export async function removeLine(tx: Tx, { id, username, server_id }: LockedLine): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute();
  await wantOnServer(tx, { server_id, username, wanted: null, operation: 'delete' });
}

export const deleteLine: Mutation<typeof contract.deleteLine, PushTarget> = {
  audit: { action: 'line.delete', subject: lineSubject, of: ({ params }) => params.id },
  commit: async (tx, ctx, { params }) => {
    const line = await lockLine(tx, lineScope(ctx.actor), params.id);
    await removeLine(tx, line);
    return { server_id: line.server_id, username: line.username };
  },
  reply: async (ctx, target) => syncReply(await pushAll(ctx, [target])),
};
