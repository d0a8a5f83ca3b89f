import type * as contract from '@linekeeper/contract/lines/line-changes.ts';
import { checkMayDelete } from '../../../domain/accounts/limits.ts';
import { lineSubject } from '../../../domain/audit/audit-subjects.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { syncReply } from '../../../domain/delivery/pushes.ts';
import { removeLines, type ServerAccount } from '../../../domain/delivery/settle.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { pushAll } from './committed-change.ts';
import { lockLine } from './locked-line.ts';

interface Deleted extends ServerAccount {
  former?: ServerAccount[];
}

export const deleteLine: Mutation<typeof contract.deleteLine, Deleted> = {
  audit: {
    action: 'line.delete',
    subject: lineSubject,
    isUncounted: 'its making was counted or paid, and an account below must not prevent this',
  },
  commit: async (tx, ctx, { params }) => {
    await checkMayDelete(tx, ctx.actor);
    const line = await lockLine(tx, lineScope(ctx.actor), params.id);
    const { server_id, username } = line;
    const settled = await removeLines(tx, [line.id]);
    const former = settled
      .filter((left) => left.server_id !== server_id || left.username !== username)
      .map((left) => ({ server_id: left.server_id, username: left.username }));
    return { server_id, username, former };
  },
  // Accounts under former names and on former servers would let the customer in, too.
  reply: async (ctx, { former = [], ...target }) =>
    syncReply(await pushAll(ctx, [target, ...former])),
};
