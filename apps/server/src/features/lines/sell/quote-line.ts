import type { Day } from '@linekeeper/contract/dates.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { isSentWhole } from '@linekeeper/contract/fields/line-credentials.ts';
import type * as contract from '@linekeeper/contract/lines/lines.ts';
import type { Settings } from '@linekeeper/contract/settings.ts';
import type { Db } from '../../../db/transaction.ts';
import { lineScope, type SignedIn } from '../../../domain/context/access.ts';
import { readBalance } from '../../../domain/credits/balance.ts';
import { findServerOfSale, isPlace } from '../../../domain/machines/servers.ts';
import type { Action } from '../../../domain/use-cases/use-case.ts';
import { failField } from '../../../platform/errors/refusal.ts';
import { readSettings } from '../../../platform/settings.ts';
import { findLine } from '../list/store.ts';
import { planDifference, readPayments } from '../price/plan-difference.ts';
import {
  checkTerm,
  type Payer,
  planOf,
  readPayer,
  termOfNewLine,
  termOfRenewal,
} from '../price/price.ts';
import { readTrialRoom } from '../price/trial-limits.ts';

/** The cost and the last day of a sale, a renewal, or a change of the plan. */
async function quoteOf(
  db: Db,
  actor: SignedIn,
  payer: Payer,
  body: Parsed<typeof contract.quoteLine>['body'],
  { trial_days }: Settings,
): Promise<{ cost: number; expiry_date: Day }> {
  if (body.action === 'create') {
    const { plan_id } = planOf(payer, body.plan_id);
    return termOfNewLine(payer, { ...body, plan_id }, trial_days);
  }
  const line = await findLine(db, lineScope(actor), body.line_id);
  if (body.action === 'renew') return termOfRenewal(payer, body, line);
  checkTerm(payer, {});
  const plan = planOf(payer, body.plan_id);
  if (body.server_id && !isPlace(plan, body.server_id))
    failField('server_id', 'SERVER_NOT_OF_PLAN');
  const paid = (await readPayments(db, actor, [line.id])).get(line.id) ?? [];
  const { cost } = planDifference(payer, line, body.plan_id, paid);
  return { cost, expiry_date: line.expiry_date };
}

export const quoteLine: Action<typeof contract.quoteLine> = async (ctx, { body }) => {
  const { actor, db } = ctx;
  // The check of names, which is limited, reports whether another line has the name; a quote only checks its length.
  if (body.action === 'create' && body.username !== undefined) {
    const server = await findServerOfSale(db, body.server_id);
    const isSent = !server || isSentWhole(body.username, server.protocol);
    if (!isSent) failField('username', 'NAME_TOO_LONG_FOR_CCCAM');
  }
  const settings = await readSettings(db);
  const payer = await readPayer(db, ctx);
  const { cost, expiry_date } = await quoteOf(db, actor, payer, body, settings);
  const room = await readTrialRoom(db, actor, payer.today, settings);
  const balance = await readBalance(db, actor.id);
  return {
    cost,
    balance,
    balance_after: balance - cost,
    expiry_date,
    trials_left: room && Math.max(0, room.left),
  };
};
