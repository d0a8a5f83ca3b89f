import type * as contract from '@linekeeper/contract/lines/line-changes.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { insertDoneJob } from '../../../domain/lines/jobs.ts';
import { enterPayment } from '../../../domain/lines/payments.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { checkQuote, readPayer } from '../price/price.ts';
import { carryOut } from './carry-out.ts';
import {
  auditedChange,
  type CommittedChange,
  committedChange,
  replyWithSync,
} from './committed-change.ts';
import { lockLine } from './locked-line.ts';
import { mayComeBack, planRenewal } from './renewal.ts';

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
  commit: async (
    tx,
    ctx,
    { params, body: { from_expiry_date, quoted_cost, payment, ...body } },
  ) => {
    const line = await lockLine(tx, lineScope(ctx.actor), params.id);
    if (from_expiry_date && from_expiry_date !== line.expiry_date) fail('LINE_CHANGED_SINCE');
    const payer = await readPayer(tx, ctx);
    const plan = planRenewal(line, body, payer);
    checkQuote(quoted_cost, plan.cost);
    const carried = await carryOut(tx, ctx, [{ line, plan }]);
    const { id: line_id, username } = line;
    const { before, after } = plan;
    const { cost, transfers } = carried;
    const transfer_id = transfers.get(line_id) ?? null;
    // No job is stored if nothing changed, or if an undo would make the line expire again.
    const isUndoable = Object.keys(after).length > 0 && mayComeBack(payer, line.expiry_date);
    const job_id = isUndoable
      ? await insertDoneJob(
          tx,
          ctx,
          { action: 'renew', arguments: { ...body } },
          { line_id, username, before, after, cost, transfer_id },
        )
      : null;
    if (payment) {
      const months = body.subscription_months ?? null;
      await enterPayment(tx, ctx.actor, line, payment, { months, job_id });
    }
    return committedChange(tx, ctx, line_id, carried, job_id);
  },
  reply: replyWithSync,
};
