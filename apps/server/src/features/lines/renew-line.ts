import type * as contract from '@linekeeper/contract/line-changes.ts';
import { lineScope } from '../../core/access.ts';
import { readBalance } from '../../core/balance.ts';
import type { Mutation } from '../../core/use-case.ts';
import { answerChange, type Changed } from './answer-change.ts';
import { extendLine } from './extend-line.ts';
import { lockLine } from './locked-line.ts';
import { findLine } from './store.ts';

export const renewLine: Mutation<typeof contract.renewLine, Changed> = {
  commit: async (tx, ctx, { params, body }) => {
    const { actor } = ctx;
    const line = await lockLine(tx, lineScope(actor), params.id);
    const { cost, isPushed } = await extendLine(tx, ctx, line, body);
    const { server_id, username } = line;
    return {
      line: await findLine(tx, lineScope(actor), line.id),
      cost,
      credits: await readBalance(tx, actor.id),
      pushes: isPushed ? [{ server_id, username }] : [],
    };
  },
  reply: answerChange,
};
