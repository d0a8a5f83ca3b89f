import type * as contract from '@linekeeper/contract/lines.ts';
import { lineScope } from '../../core/access.ts';
import { pushNow } from '../../core/pushes.ts';
import { pushAgain } from '../../core/server-accounts.ts';
import type { Action } from '../../core/use-case.ts';
import { findLine } from './store.ts';

export const syncLine: Action<typeof contract.syncLine> = async (ctx, { params }) => {
  const line = await findLine(ctx.db, lineScope(ctx.actor), params.id);
  // Also where all was delivered: the server may have lost it since.
  await pushAgain(ctx.db, line);
  return { sync: await pushNow(ctx, line.server_id, line.username) };
};
