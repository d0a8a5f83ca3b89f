import type * as contract from '@linekeeper/contract/lines/lines.ts';
import { sql } from 'kysely';
import { transact } from '../../../db/transaction.ts';
import { countAct } from '../../../domain/accounts/daily-limits.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { syncReply } from '../../../domain/delivery/pushes.ts';
import { deliverAgain } from '../../../domain/delivery/settle.ts';
import { isDue } from '../../../domain/machines/server-accounts.ts';
import { serversOfLine } from '../../../domain/machines/servers.ts';
import type { Action } from '../../../domain/use-cases/use-case.ts';
import { pushAll } from './committed-change.ts';
import { lockLine } from './locked-line.ts';

export const syncLine: Action<typeof contract.syncLine> = async (ctx, { params }) => {
  const accounts = await transact(ctx.db, async (tx) => {
    const locked = await lockLine(tx, lineScope(ctx.actor), params.id);
    await countAct(tx, ctx.actor);
    const { server_id, plan_id, username } = locked;
    // The account is delivered even if it was before, because the server may have lost it since, or
    // the account of a suspended line may have come back.
    const servers = serversOfLine(sql`${server_id}::uuid`, sql`${plan_id}::uuid`);
    const isOwn = sql`server_id = any(${servers}) and username = ${username}`;
    await deliverAgain(tx, sql`${isOwn} and not (${isDue})`);
    return tx
      .selectFrom('server_accounts')
      .select(['server_id', 'username', sql.lit('own' as const).as('part')])
      .where(sql<boolean>`${isOwn}`)
      .execute();
  });
  return syncReply(await pushAll(ctx, accounts));
};
