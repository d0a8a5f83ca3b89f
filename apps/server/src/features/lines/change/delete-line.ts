import type * as contract from '@linekeeper/contract/lines/line-changes.ts';
import { lineSubject } from '../../../domain/audit/audit-subjects.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { removeLine } from '../../../domain/delivery/remove-line.ts';
import { formerAccountsOf } from '../../../domain/delivery/server-accounts.ts';
import { syncReply } from '../../../domain/delivery/sync-reply.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { lockLine } from './locked-line.ts';
import { type PushTarget, pushAll } from './reply-with-sync.ts';

interface Deleted extends PushTarget {
  former?: PushTarget[];
}

export const deleteLine: Mutation<typeof contract.deleteLine, Deleted> = {
  audit: {
    action: 'line.delete',
    subject: lineSubject,
    of: ({ params }) => params.id,
    isUncounted: 'its making was counted or paid, and an account below must not prevent this',
  },
  commit: async (tx, ctx, { params }) => {
    const line = await lockLine(tx, lineScope(ctx.actor), params.id);
    const former = await formerAccountsOf(tx, line.id);
    await removeLine(tx, line);
    return { server_id: line.server_id, username: line.username, former };
  },
  // Rows under former names and on former servers let the customer in, too.
  reply: async (ctx, { former = [], ...target }) =>
    syncReply(await pushAll(ctx, [target, ...former])),
};
