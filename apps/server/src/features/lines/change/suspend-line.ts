import type * as contract from '@linekeeper/contract/lines/line-changes.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import type { Tx } from '../../../db/transaction.ts';
import { lineScope } from '../../../domain/context/access.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import { pushesOf } from '../../../domain/delivery/settle.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { findLine } from '../list/store.ts';
import { carryOut } from './change-row.ts';
import { lockLine } from './locked-line.ts';
import { plannerOf, type Work } from './plan.ts';
import { auditedChange, type PushTarget, replyWithSync } from './reply-with-sync.ts';

interface Changed {
  line: Line;
  pushes: PushTarget[];
}

async function change(tx: Tx, ctx: Ctx, id: string, work: Work): Promise<Changed> {
  const scope = lineScope(ctx.actor);
  const line = await lockLine(tx, scope, id);
  const planLine = await plannerOf(tx, ctx, work, [line]);
  const { settled } = await carryOut(tx, ctx, [{ line, plan: await planLine(line) }]);
  return { line: await findLine(tx, scope, id), pushes: pushesOf(settled) };
}

async function reply(ctx: Ctx, changed: Changed) {
  const { line, sync, sync_finding } = await replyWithSync(ctx, {
    ...changed,
    cost: 0,
    credits: 0,
  });
  return { line, sync, sync_finding };
}

const audited = {
  ...auditedChange,
  data: ({ body }: { body: { reason?: string | undefined } }, { line }: Changed) => ({
    username: line.username,
    reason: body.reason || null,
  }),
};

export const suspendLine: Mutation<typeof contract.suspendLine, Changed> = {
  audit: {
    ...audited,
    action: 'line.suspend',
    isUncounted: 'resuming is counted, and an account below must not prevent this',
  },
  commit: (tx, ctx, { params, body }) =>
    change(tx, ctx, params.id, { action: 'suspend', reason: body.reason }),
  reply,
};

export const resumeLine: Mutation<typeof contract.resumeLine, Changed> = {
  audit: { ...audited, action: 'line.resume' },
  commit: (tx, ctx, { params }) => change(tx, ctx, params.id, { action: 'resume' }),
  reply,
};
