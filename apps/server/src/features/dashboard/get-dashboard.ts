import type * as contract from '@linekeeper/contract/dashboard.ts';
import { can } from '@linekeeper/contract/permissions.ts';
import { lineScope } from '../../domain/context/access.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { readOwnCredits, readSellersBelow } from './credit-figures.ts';
import { readFirstSteps } from './first-steps.ts';
import { readLineFigures } from './line-figures.ts';
import { readAllSales } from './sales-of-all.ts';

export const getDashboard: Action<typeof contract.getDashboard> = async (ctx) => {
  const { db, actor, config } = ctx;
  const days = { today: ctx.today(), time_zone: config.time_zone };
  const [lines, { credits, sellers }, steps] = await Promise.all([
    can(actor, ['view_users']) ? readLineFigures(db, lineScope(actor), days.today) : null,
    actor.is_admin ? readAllSales(db, days) : readOwn(),
    readFirstSteps(ctx),
  ]);
  return { today: days.today, lines, credits, sellers, steps };

  async function readOwn() {
    const [credits, sellers] = await Promise.all([
      readOwnCredits(db, actor.id, days),
      can(actor, ['add_credits']) ? readSellersBelow(db, actor.id, days) : null,
    ]);
    return { credits, sellers };
  }
};
