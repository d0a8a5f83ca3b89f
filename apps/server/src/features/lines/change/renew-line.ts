import type * as contract from '@linekeeper/contract/lines/line-changes.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { enterPayment } from '../../../domain/lines/payments.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { readPayer } from '../price/price.ts';
import { carryOutOne } from './carry-out.ts';
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
    // No job is stored if nothing changed, or if an undo would make the line expire again.
    const isUndoable = Object.keys(plan.after).length > 0 && mayComeBack(payer, line.expiry_date);
    const job = isUndoable ? { action: 'renew' as const, arguments: { ...body } } : null;
    const carried = await carryOutOne(tx, ctx, { line, plan }, quoted_cost, job);
    if (payment) {
      const months = body.subscription_months ?? null;
      await enterPayment(tx, ctx.actor, line, payment, { months, job_id: carried.job_id });
    }
    return committedChange(tx, ctx, line.id, carried);
  },
  reply: replyWithSync,
};
