import type * as contract from '@linekeeper/contract/lines/line-changes.ts';
import type { Tx } from '../../../db/transaction.ts';
import { lineScope } from '../../../domain/context/access.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import { pushesOf } from '../../../domain/delivery/settle.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { findLine } from '../list/store.ts';
import type { AskedChange } from './asked-change.ts';
import { carryOut } from './carry-out.ts';
import { auditedChange, type CommittedChange, pushChange } from './committed-change.ts';
import { lockLine } from './locked-line.ts';
import { plannerOf } from './planner.ts';

/** The result of a suspension. It is free of charge, so no account is notified of its credits. */
type Changed = Pick<CommittedChange, 'line' | 'pushes'>;

async function change(tx: Tx, ctx: Ctx, id: string, asked: AskedChange): Promise<Changed> {
  const scope = lineScope(ctx.actor);
  const line = await lockLine(tx, scope, id);
  const planLine = await plannerOf(tx, ctx, asked, [line]);
  const { settled } = await carryOut(tx, ctx, [{ line, plan: await planLine(line) }]);
  return { line: await findLine(tx, scope, id), pushes: pushesOf(settled) };
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
  reply: pushChange,
};

export const resumeLine: Mutation<typeof contract.resumeLine, Changed> = {
  audit: { ...audited, action: 'line.resume' },
  commit: (tx, ctx, { params }) => change(tx, ctx, params.id, { action: 'resume' }),
  reply: pushChange,
};
