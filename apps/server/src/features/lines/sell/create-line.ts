import type * as contract from '@linekeeper/contract/lines/lines.ts';
import { lineSubject } from '../../../domain/audit/audit-subjects.ts';
import type { ServerAccount } from '../../../domain/delivery/settle.ts';
import { insertDoneJob } from '../../../domain/lines/jobs.ts';
import { enterPayment } from '../../../domain/lines/payments.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { newId } from '../../../platform/ids.ts';
import { readSettings } from '../../../platform/settings.ts';
import {
  type CommittedChange,
  committedChange,
  replyWithSync,
} from '../change/committed-change.ts';
import { chooseOwner } from '../change/move.ts';
import { checkQuote, planOf, readPayer, termOfNewLine } from '../price/price.ts';
import { sellOne } from './sell-lines.ts';

/** The result of a sale. A panel of 1.8 builds its response from the account. */
type Sold = CommittedChange & ServerAccount;

export const createLine: Mutation<typeof contract.createLine, Sold> = {
  audit: {
    action: 'line.create',
    subject: lineSubject,
    made: ({ line }) => line.id,
    after: ({ line: { username, server_id, plan_id, owner_id, expiry_date } }, { body }) => ({
      username,
      server_id,
      plan_id,
      owner_id,
      expiry_date,
      is_trial: body.is_trial,
      subscription_months: body.subscription_months ?? null,
    }),
    data: (_, { cost }) => ({ cost }),
  },
  commit: async (tx, ctx, { body: { quoted_cost, payment, ...body } }) => {
    const { actor } = ctx;
    const { username, is_trial, subscription_months } = body;
    const trial_days = is_trial ? (await readSettings(tx)).trial_days : 0;
    const payer = await readPayer(tx, ctx);
    const plan = planOf(payer, body.plan_id);
    const term = termOfNewLine(payer, { ...body, plan_id: plan.plan_id }, trial_days);
    checkQuote(quoted_cost, term.cost);
    const owner_id = await chooseOwner(tx, actor, body.owner_id);
    const id = newId();
    const sale = await sellOne(tx, ctx, { id, line: body, term, plan, owner_id });
    const { cost, transfers, row, after } = sale;
    const sold = {
      subscription_months: subscription_months || undefined,
      is_trial: is_trial || undefined,
    };
    const transfer_id = transfers.get(id) ?? null;
    const job_id = await insertDoneJob(
      tx,
      ctx,
      { action: 'sell', arguments: sold },
      { line_id: id, username, cost, transfer_id, after },
    );
    if (payment) {
      await enterPayment(tx, actor, row, payment, { months: row.subscription_months, job_id });
    }
    const committed = await committedChange(tx, ctx, id, { ...sale, job_id });
    return { ...committed, server_id: row.server_id, username };
  },
  reply: replyWithSync,
};
