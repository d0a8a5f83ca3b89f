import type * as contract from '@linekeeper/contract/lines/lines.ts';
import { lineSubject } from '../../../domain/audit/audit-subjects.ts';
import { refuseUnpaid } from '../../../domain/credits/balance.ts';
import type { ServerAccount } from '../../../domain/delivery/settle.ts';
import { insertDoneJob } from '../../../domain/lines/jobs.ts';
import { enterPayment } from '../../../domain/lines/payments.ts';
import { otherServers } from '../../../domain/lines/places.ts';
import { chooseServer } from '../../../domain/machines/servers.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { newId } from '../../../platform/ids.ts';
import { readSettings } from '../../../platform/settings.ts';
import {
  type CommittedChange,
  committedChange,
  replyWithSync,
} from '../change/committed-change.ts';
import { chooseOwner } from '../change/move.ts';
import { refusalOf } from '../change/plan.ts';
import { checkQuote, planOf, readPayer, termOfNewLine } from '../price/price.ts';
import { RowsRefused, rowOfNewLine, sellLines } from './sell-lines.ts';

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
    const { plan_id } = plan;
    const term = termOfNewLine(payer, { ...body, plan_id }, trial_days);
    checkQuote(quoted_cost, term.cost);
    const owner_id = await chooseOwner(tx, actor, body.owner_id);
    const server = await chooseServer(tx, body.server_id, 'NO_ACTIVE_SERVERS', plan);
    const id = newId();
    const { expiry_date } = term;
    const row = {
      ...rowOfNewLine(body, server),
      id,
      password: ctx.secrets.seal(body.password, id),
      added_date: ctx.today(),
      expiry_date,
      owner_id,
      plan_id,
    };
    const also = otherServers(plan, server.id);
    const sale = await sellLines(tx, ctx, [{ row, term, also }]);
    if (sale instanceof RowsRefused) {
      await refuseUnpaid(tx, actor, term.cost);
      const [problem] = sale.problems.values();
      throw problem ? refusalOf(problem) : sale;
    }
    const { cost, transfers } = sale;
    const sold = {
      subscription_months: subscription_months || undefined,
      is_trial: is_trial || undefined,
    };
    const transfer_id = transfers.get(id) ?? null;
    const after = { expiry_date, is_trial, server_id: server.id, plan_id, owner_id };
    const job_id = await insertDoneJob(
      tx,
      ctx,
      { action: 'sell', arguments: sold },
      { line_id: id, username, cost, transfer_id, after },
    );
    if (payment) {
      await enterPayment(tx, actor, row, payment, { months: row.subscription_months, job_id });
    }
    const committed = await committedChange(tx, ctx, id, sale, job_id);
    return { ...committed, server_id: server.id, username };
  },
  reply: replyWithSync,
};
