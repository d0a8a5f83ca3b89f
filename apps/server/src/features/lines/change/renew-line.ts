import type * as contract from '@linekeeper/contract/lines/line-changes.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { readBalance } from '../../../domain/credits/balance.ts';
import { pushesOf } from '../../../domain/delivery/settle.ts';
import { insertDoneJob } from '../../../domain/lines/jobs.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { findLine } from '../list/store.ts';
import { carryOut } from './change-row.ts';
import { mayComeBack } from './extend-line.ts';
import { lockLine } from './locked-line.ts';
import { extend } from './plan.ts';
import { auditedChange, type CommittedChange, replyWithSync } from './reply-with-sync.ts';

export const renewLine: Mutation<typeof contract.renewLine, CommittedChange> = {
  audit: {
    ...auditedChange,
    action: 'line.renew',
    data: ({ body }, { line, cost }) => ({
      username: line.username,
      cost,
      months: body.subscription_months ?? null,
    }),
  },
  commit: async (tx, ctx, { params, body: { from_expiry_date, ...body } }) => {
    const { actor } = ctx;
    const line = await lockLine(tx, lineScope(actor), params.id);
    if (from_expiry_date && from_expiry_date !== line.expiry_date) fail('LINE_CHANGED_SINCE');
    const plan = await extend(tx, ctx, line, body);
    const { cost, transfers, settled } = await carryOut(tx, ctx, [{ line, plan }]);
    const { id: line_id, username } = line;
    const { before, after } = plan;
    const transfer_id = transfers.get(line_id) ?? null;
    // No job where nothing changed, or where an undo would end the line again.
    const isUndoable = Object.keys(after).length > 0 && mayComeBack(ctx, line.expiry_date);
    return {
      line: await findLine(tx, lineScope(actor), line_id),
      cost,
      credits: await readBalance(tx, actor.id),
      pushes: pushesOf(settled),
      job_id: isUndoable
        ? await insertDoneJob(
            tx,
            ctx,
            { action: 'renew', arguments: { ...body } },
            { line_id, username, before, after, cost, transfer_id },
          )
        : null,
    };
  },
  reply: replyWithSync,
};
