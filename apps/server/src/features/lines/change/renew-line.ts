import type * as contract from '@linekeeper/contract/lines/line-changes.ts';
import { auditedLine, lineSubject } from '../../../domain/audit/audit-subjects.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { readBalance } from '../../../domain/credits/balance.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { findLine } from '../list/store.ts';
import { extendLine } from './extend-line.ts';
import { lockLine } from './locked-line.ts';
import { insertRenewalJob } from './renewal-job.ts';
import { type CommittedChange, replyWithSync } from './reply-with-sync.ts';

interface Renewed extends CommittedChange {
  job_id?: string | null;
}

export const renewLine: Mutation<typeof contract.renewLine, Renewed> = {
  audit: {
    action: 'line.renew',
    subject: lineSubject,
    of: ({ params }) => params.id,
    after: ({ line }) => auditedLine(line),
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
    const renewed = await extendLine(tx, ctx, line, body);
    return {
      line: await findLine(tx, lineScope(actor), line.id),
      cost: renewed.cost,
      credits: await readBalance(tx, actor.id),
      pushes: renewed.pushes,
      job_id: await insertRenewalJob(tx, ctx, line, renewed, body),
    };
  },
  reply: async (ctx, { job_id, ...changed }) => ({
    ...(await replyWithSync(ctx, changed)),
    // A panel of the version before has stored none.
    job_id: job_id ?? null,
  }),
};
