import type * as contract from '@linekeeper/contract/lines/lines.ts';
import { lineSubject } from '../../../domain/audit/audit-subjects.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { readBalance, refuseUnpaid } from '../../../domain/credits/balance.ts';
import { insertDoneJob } from '../../../domain/lines/jobs.ts';
import { chooseServer } from '../../../domain/machines/servers.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { newId } from '../../../platform/ids.ts';
import { readSettings } from '../../../platform/settings.ts';
import { chooseOwner } from '../change/assign-line.ts';
import { refusalOf } from '../change/plan.ts';
import { type CommittedChange, type PushTarget, replyWithSync } from '../change/reply-with-sync.ts';
import { findLine } from '../list/store.ts';
import { readPayer, termOfNewLine } from '../price/price.ts';
import { RowsRefused, rowOfNewLine, sellLines } from './sell-lines.ts';

type Sold = Omit<CommittedChange, 'pushes'> & PushTarget & { line_id: string };

export const createLine: Mutation<typeof contract.createLine, Sold> = {
  audit: {
    action: 'line.create',
    subject: lineSubject,
    made: ({ line_id }) => line_id,
    after: ({ line: { username, server_id, owner_id, expiry_date } }, { body }) => ({
      username,
      server_id,
      owner_id,
      expiry_date,
      is_trial: body.is_trial,
      subscription_months: body.subscription_months ?? null,
    }),
    data: (_, { cost }) => ({ cost }),
  },
  commit: async (tx, ctx, { body }) => {
    const { actor } = ctx;
    const { username, is_trial } = body;
    const trial_days = is_trial ? (await readSettings(tx)).trial_days : 0;
    const term = termOfNewLine(await readPayer(tx, ctx), body, trial_days);
    const owner_id = await chooseOwner(tx, actor, body.owner_id);
    const server = await chooseServer(tx, body.server_id);
    const id = newId();
    const { expiry_date } = term;
    const row = {
      ...rowOfNewLine(body, server),
      id,
      password: ctx.secrets.seal(body.password, id),
      added_date: ctx.today(),
      expiry_date,
      owner_id,
    };
    const sale = await sellLines(tx, ctx, [{ row, term }]);
    if (sale instanceof RowsRefused) {
      await refuseUnpaid(tx, actor, term.cost);
      const [problem] = sale.problems.values();
      throw problem ? refusalOf(problem) : sale;
    }
    const { cost, transfers } = sale;
    const credits = sale.credits ?? (await readBalance(tx, actor.id));
    const line = await findLine(tx, lineScope(actor), id);
    const { subscription_months } = body;
    const sold = {
      ...(subscription_months && { subscription_months }),
      ...(is_trial && { is_trial }),
    };
    const transfer_id = transfers.get(id) ?? null;
    const after = { expiry_date, is_trial, server_id: server.id, owner_id };
    const job_id = await insertDoneJob(
      tx,
      ctx,
      { action: 'sell', arguments: sold },
      { line_id: id, username, cost, transfer_id, after },
    );
    return { line_id: id, server_id: server.id, username, line, cost, credits, job_id };
  },
  reply: (ctx, { server_id, username, ...sold }) =>
    replyWithSync(ctx, { ...sold, pushes: [{ server_id, username }] }),
};
