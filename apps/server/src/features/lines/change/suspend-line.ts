import type * as contract from '@linekeeper/contract/lines/line-changes.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import type { Tx } from '../../../db/transaction.ts';
import { auditedLine, lineSubject } from '../../../domain/audit/audit-subjects.ts';
import { lineScope } from '../../../domain/context/access.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { findLine } from '../list/store.ts';
import { changeRow } from './change-row.ts';
import { type LineUpdate, type LockedLine, lockLine } from './locked-line.ts';
import { type PushTarget, replyWithSync } from './reply-with-sync.ts';
import { resumedColumns, suspendedColumns, suspensionGuard } from './suspension.ts';

interface Changed {
  line: Line;
  pushes: PushTarget[];
}

async function change(
  tx: Tx,
  { actor }: Ctx,
  id: string,
  columnsOf: (line: LockedLine) => LineUpdate,
): Promise<Changed> {
  const line = await lockLine(tx, lineScope(actor), id);
  await suspensionGuard(tx, actor)(line);
  const { pushes } = await changeRow(tx, line, columnsOf(line));
  return { line: await findLine(tx, lineScope(actor), id), pushes };
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
  subject: lineSubject,
  of: ({ params }: { params: { id: string } }) => params.id,
  after: ({ line }: Changed) => auditedLine(line),
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
    change(tx, ctx, params.id, (line) => suspendedColumns(line, ctx.actor.id, body.reason)),
  reply,
};

export const resumeLine: Mutation<typeof contract.resumeLine, Changed> = {
  audit: { ...audited, action: 'line.resume' },
  commit: (tx, ctx, { params }) =>
    change(tx, ctx, params.id, (line) => resumedColumns(line, ctx.today())),
  reply,
};
