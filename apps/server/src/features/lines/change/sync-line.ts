import type * as contract from '@linekeeper/contract/lines/lines.ts';
import { sql } from 'kysely';
import { transact } from '../../../db/transaction.ts';
import { countAct } from '../../../domain/accounts/daily-limits.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { pushNow, syncReply } from '../../../domain/delivery/pushes.ts';
import { deliverAgain } from '../../../domain/delivery/settle.ts';
import { isDue } from '../../../domain/machines/server-accounts.ts';
import type { Action } from '../../../domain/use-cases/use-case.ts';
import { lockLine } from './locked-line.ts';

export const syncLine: Action<typeof contract.syncLine> = async (ctx, { params }) => {
  const line = await transact(ctx.db, async (tx) => {
    const locked = await lockLine(tx, lineScope(ctx.actor), params.id);
    await countAct(tx, ctx.actor);
    const { server_id, username } = locked;
    // Even if everything was delivered, because the server may have lost the account since, or that of a
    // suspended line may have come back.
    const isOwn = sql`server_id = ${server_id} and username = ${username}`;
    await deliverAgain(tx, sql`${isOwn} and not (${isDue})`);
    return { server_id, username };
  });
  return syncReply(await pushNow(ctx, line.server_id, line.username));
};
