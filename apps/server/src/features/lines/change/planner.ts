import type { Tx } from '../../../db/transaction.ts';
import { checkMayDelete } from '../../../domain/accounts/limits.ts';
import { readReached } from '../../../domain/lines/changed-addresses.ts';
import { type ActingAccount, checkTerm, readPayer } from '../price/price.ts';
import type { AskedChange } from './asked-change.ts';
import { planChanger } from './change-plan.ts';
import type { ChangeableLine } from './locked-line.ts';
import { movePlanner } from './move.ts';
import { descriptiveUpdate, type Plan, planChange, planDeletion, refuseUnchanged } from './plan.ts';
import { planRenewal, refuseLeftOut } from './renewal.ts';
import { changedSuspension, suspensionGuard } from './suspension.ts';

/**
 * Returns a function that plans each of the lines. Throws, for the request as a whole,
 * INVALID_SUBSCRIPTION_MONTHS, ADMIN_ONLY_FIELD, and the errors of `movePlanner`.
 */
export async function plannerOf(
  tx: Tx,
  acting: ActingAccount,
  asked: AskedChange,
  lines: readonly ChangeableLine[],
): Promise<(line: ChangeableLine) => Plan | Promise<Plan>> {
  switch (asked.action) {
    case 'renew': {
      const payer = await readPayer(tx, acting);
      checkTerm(payer, asked);
      return (line) => {
        refuseLeftOut(line, asked, payer.today);
        return refuseUnchanged(planRenewal(line, asked, payer));
      };
    }
    case 'edit': {
      // New addresses of lines change their customers' receivers, so customers are notified as after a move.
      const servers = asked.host_port && (await readReached(tx));
      return (line) => planChange(line, descriptiveUpdate(asked), servers);
    }
    case 'change_plan':
      return planChanger(tx, acting, asked, lines);
    case 'move':
      return movePlanner(tx, acting.actor, asked, lines);
    case 'suspend':
    case 'resume': {
      const refuseToOverrule = suspensionGuard(tx, acting.actor);
      return async (line) => {
        await refuseToOverrule(line);
        return planChange(line, changedSuspension(line, acting, asked));
      };
    }
    case 'delete':
      await checkMayDelete(tx, acting.actor);
      return planDeletion;
    case 'export':
      return () => ({ before: null, after: null, cost: 0 });
  }
}
