import type * as contract from '@linekeeper/contract/lines/line-changes.ts';
import type { Tx } from '../../../db/transaction.ts';
import { lineScope } from '../../../domain/context/access.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import { pushesOf } from '../../../domain/delivery/settle.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { findLine } from '../list/store.ts';
import { carryOut } from './change-row.ts';
import { lockLine } from './locked-line.ts';
import { plannerOf, type Work } from './plan.ts';
import { auditedChange, type CommittedChange, replyWithSync } from './reply-with-sync.ts';

async function change(tx: Tx, ctx: Ctx, id: string, work: Work): Promise<CommittedChange> {
  const scope = lineScope(ctx.actor);
  const locked = await lockLine(tx, scope, id);
  const planLine = await plannerOf(tx, ctx, work, [locked]);
  const { settled } = await carryOut(tx, ctx, [{ line: locked, plan: await planLine(locked) }]);
  const line = await findLine(tx, scope, id);
  return { line, pushes: pushesOf(settled), cost: 0, credits: 0 };
}

async function reply(ctx: Ctx, changed: CommittedChange) {
  const { line, sync, sync_finding } = await replyWithSync(ctx, changed);
  return { line, sync, sync_finding };
}

const audited = {
  ...auditedChange,
  data: ({ body }: { body: { reason?: string | undefined } }, { line }: CommittedChange) => ({
    username: line.username,
    reason: body.reason || null,
  }),
};

export const suspendLine: Mutation<typeof contract.suspendLine, CommittedChange> = {
  audit: {
    ...audited,
    action: 'line.suspend',
    isUncounted: 'resuming is counted, and an account below must not prevent this',
  },
  commit: (tx, ctx, { params, body }) =>
    change(tx, ctx, params.id, { action: 'suspend', reason: body.reason }),
  reply,
};

export const resumeLine: Mutation<typeof contract.resumeLine, CommittedChange> = {
  audit: { ...audited, action: 'line.resume' },
  commit: (tx, ctx, { params }) => change(tx, ctx, params.id, { action: 'resume' }),
  reply,
};
