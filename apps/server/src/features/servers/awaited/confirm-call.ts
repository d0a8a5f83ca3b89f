import type * as contract from '@linekeeper/contract/servers/awaited.ts';
import { sql } from 'kysely';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { callBack, completeServer } from './first-call.ts';
import { findAwaited, toAwaited } from './store.ts';

/** An administrator knows the address that an agent called from: its server takes it, and may become active. */
export const confirmAwaitedServer: Mutation<typeof contract.confirmAwaitedServer, null> = {
  audit: { auditsItself: 'if a server is in the panel already that takes the address' },
  commit: async (tx, ctx, { params: { id }, body: { host } }) => {
    await findAwaited(tx, id);
    const row = await tx
      .updateTable('awaited_servers')
      .set({ confirmed_at: sql`coalesce(confirmed_at, now())` })
      .where('id', '=', id)
      // Another agent may have called since the page was read.
      .where(sql`call ->> 'host'`, '=', host)
      .returningAll()
      .executeTakeFirst();
    if (!row) return fail('AGENT_NOT_CALLED');
    await completeServer(tx, ctx, row);
    return null;
  },
  reply: async (ctx, _, { params: { id } }) => {
    await callBack(ctx, await findAwaited(ctx.db, id));
    return toAwaited(await findAwaited(ctx.db, id));
  },
};
