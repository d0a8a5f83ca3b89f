import type * as contract from '@linekeeper/contract/lines.ts';
import { lineScope } from '../../core/access.ts';
import { readBalance } from '../../core/balance.ts';
import { readSettings } from '../../core/settings.ts';
import type { Action } from '../../core/use-case.ts';
import { extension } from './extend-line.ts';
import { termOfNewLine } from './price.ts';
import { countLiveTrials, findLine } from './store.ts';

export const quoteLine: Action<typeof contract.quoteLine> = async (ctx, { body }) => {
  const { actor, db } = ctx;
  const today = ctx.today();
  const { trial_days, trial_limit } = await readSettings(db);
  const term =
    body.action === 'renew' && body.line_id
      ? extension(ctx, await findLine(db, lineScope(actor), body.line_id), body)
      : termOfNewLine(actor, body, today, trial_days);
  const cost = actor.is_admin ? 0 : term.cost;
  const balance = await readBalance(db, actor.id);
  return {
    cost,
    balance,
    balance_after: balance - cost,
    expiry_date: term.expiry_date,
    trials_left: actor.is_admin
      ? null
      : Math.max(0, trial_limit - (await countLiveTrials(db, actor.id, today))),
  };
};
