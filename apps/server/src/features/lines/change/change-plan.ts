import type * as contract from '@linekeeper/contract/lines/line-changes.ts';
import type { Tx } from '../../../db/transaction.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { readReached } from '../../../domain/lines/changed-addresses.ts';
import { otherServers, readPlaces } from '../../../domain/lines/places.ts';
import { checkSentNames, refuseName } from '../../../domain/lines/sent-names.ts';
import {
  type ChosenServer,
  chooseServer,
  isPlace,
  lockFreeCapacity,
} from '../../../domain/machines/servers.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../../platform/errors/refusal.ts';
import { planDifference, readPayments } from '../price/plan-difference.ts';
import { type ActingAccount, checkTerm, planOf, readPayer } from '../price/price.ts';
import type { AskedPlan } from './asked-change.ts';
import { carryOutOne } from './carry-out.ts';
import {
  auditedChange,
  type CommittedChange,
  committedChange,
  replyWithSync,
} from './committed-change.ts';
import { type ChangeableLine, lockLine } from './locked-line.ts';
import { reachedAt } from './move.ts';
import { changedFields, type Plan } from './plan.ts';

/**
 * Returns a function that plans the change of each of the lines to another plan. A line stays on its server if the new
 * plan has it, and otherwise moves to the server that a new line would get. Throws PLAN_NOT_FOUND, PLAN_NOT_OFFERED,
 * ACCOUNT_ENDED and SERVER_NOT_OF_PLAN; the function throws ALREADY_SO, the errors of `chooseServer`,
 * NAME_TOO_LONG_FOR_CCCAM and NAME_SHARES_FIRST_20.
 */
export async function planChanger(
  tx: Tx,
  acting: ActingAccount,
  { plan_id, server_id }: AskedPlan,
  lines: readonly ChangeableLine[],
): Promise<(line: ChangeableLine) => Promise<Plan>> {
  const payer = await readPayer(tx, acting);
  checkTerm(payer, {});
  planOf(payer, plan_id);
  // The servers are those that the plan has now, while prices in a job are from the time of its request.
  const plan = (await readPlaces(tx)).get(plan_id) ?? fail('PLAN_NOT_FOUND');
  if (server_id !== undefined && !isPlace(plan, server_id)) {
    failField('server_id', 'SERVER_NOT_OF_PLAN');
  }
  const payments = await readPayments(
    tx,
    acting.actor,
    lines.map(({ id }) => id),
  );
  const servers = await readReached(tx);
  let chosen: { server: ChosenServer; places: number } | undefined;
  /** The server with a free place for one more line. */
  const choose = async (): Promise<ChosenServer> => {
    if (!chosen || chosen.places <= 0) {
      const server = await chooseServer(tx, server_id, 'NO_ACTIVE_SERVERS', plan);
      chosen = { server, places: await lockFreeCapacity(tx, server) };
    }
    chosen.places -= 1;
    return chosen.server;
  };
  return async (line) => {
    const { id: line_id, username, server_id: from_server_id } = line;
    if (line.plan_id === plan_id) fail('ALREADY_SO');
    const stays =
      server_id === undefined ? isPlace(plan, from_server_id) : server_id === from_server_id;
    const target = stays ? undefined : await choose();
    const first = target?.id ?? from_server_id;
    const named = [first, ...otherServers(plan, first)].map((id) => {
      return { server_id: id, username, line_id, from_server_id };
    });
    refuseName(await checkSentNames(tx, named), 'plan_id');
    const left = servers.get(from_server_id);
    const moved = target && left && { server_id: target.id, ...reachedAt(line, left, target) };
    const difference = planDifference(payer, line, plan_id, payments.get(line_id) ?? []);
    const { before, after } = changedFields(line, { plan_id, ...moved }, servers);
    // The date is stored, because an undo is refused once the line has another one: that was paid
    // by the prices of its plan at that time.
    return { before, after: { ...after, expiry_date: line.expiry_date }, ...difference };
  };
}

export const changePlan: Mutation<typeof contract.changePlan, CommittedChange> = {
  audit: {
    ...auditedChange,
    action: 'line.change_plan',
    data: (_, { line, cost }) => ({ username: line.username, cost }),
  },
  commit: async (tx, ctx, { params, body: { quoted_cost, ...asked } }) => {
    const line = await lockLine(tx, lineScope(ctx.actor), params.id);
    const plan = await (await planChanger(tx, ctx, asked, [line]))(line);
    const job = { action: 'change_plan' as const, arguments: { ...asked } };
    const carried = await carryOutOne(tx, ctx, { line, plan }, quoted_cost, job);
    return committedChange(tx, ctx, line.id, carried);
  },
  reply: replyWithSync,
};
