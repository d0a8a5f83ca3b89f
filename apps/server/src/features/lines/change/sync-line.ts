import type * as contract from '@linekeeper/contract/lines/lines.ts';
import { transact } from '../../../db/transaction.ts';
import { countAct } from '../../../domain/accounts/daily-limits.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { pushNow } from '../../../domain/delivery/pushes.ts';
import { redeliver } from '../../../domain/delivery/redeliver.ts';
import { syncReply } from '../../../domain/delivery/sync-reply.ts';
import type { Action } from '../../../domain/use-cases/use-case.ts';
import { lockLine } from './locked-line.ts';

export const syncLine: Action<typeof contract.syncLine> = async (ctx, { params }) => {
  const line = await transact(ctx.db, async (tx) => {
    const locked = await lockLine(tx, lineScope(ctx.actor), params.id);
    await countAct(tx, ctx.actor);
    const { server_id, username } = locked;
    // Even if everything was delivered, because the server may have lost the account since, or that of a
    // suspended line may have come back.
    await redeliver(tx, { server_id, username });
    return { server_id, username };
  });
  return syncReply(await pushNow(ctx, line.server_id, line.username));
};
