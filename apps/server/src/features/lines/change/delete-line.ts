import type * as contract from '@linekeeper/contract/lines/line-changes.ts';
import { type SqlBool, sql } from 'kysely';
import type { Tx } from '../../../db/transaction.ts';
import { lineSubject } from '../../../domain/audit/audit-subjects.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { removeLine } from '../../../domain/delivery/remove-line.ts';
import { syncReply } from '../../../domain/delivery/sync-reply.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { type LockedLine, lockLine } from './locked-line.ts';
import { type PushTarget, pushAll } from './reply-with-sync.ts';

/** Rows that the line has there by its names of before. */
async function findFormerRows(tx: Tx, { id, server_id }: LockedLine): Promise<PushTarget[]> {
  return tx
    .selectFrom('server_accounts')
    .select(['server_id', 'username'])
    .where(sql<SqlBool>`left_password is not null and left_password ->> 'line_id' = ${id}`)
    .where('server_id', '=', server_id)
    .where('wanted', 'is', null)
    .execute();
}

interface Deleted extends PushTarget {
  former?: PushTarget[];
}

export const deleteLine: Mutation<typeof contract.deleteLine, Deleted> = {
  audit: { action: 'line.delete', subject: lineSubject, of: ({ params }) => params.id },
  commit: async (tx, ctx, { params }) => {
    const line = await lockLine(tx, lineScope(ctx.actor), params.id);
    const former = await findFormerRows(tx, line);
    await removeLine(tx, line);
    return { server_id: line.server_id, username: line.username, former };
  },
  // Rows under former names and on former servers let the customer in, too.
  reply: async (ctx, { former = [], ...target }) =>
    syncReply(await pushAll(ctx, [target, ...former])),
};
