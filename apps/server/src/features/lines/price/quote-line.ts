import type * as contract from '@linekeeper/contract/lines/lines.ts';
import { lineScope } from '../../../core/access.ts';
import { readBalance } from '../../../core/credits/balance.ts';
import { readSettings } from '../../../core/settings.ts';
import type { Action } from '../../../core/use-case.ts';
import { planExtension } from '../renew/extend-line.ts';
import { findLine } from '../store.ts';
import { priceNewLine } from './price.ts';
import { readTrialRoom } from './trial-limits.ts';

export const quoteLine: Action<typeof contract.quoteLine> = async (ctx, { body }) => {
  const { actor, db } = ctx;
  const today = ctx.today();
  const { trial_days } = await readSettings(db);
  const priced =
    body.action === 'renew'
      ? await planExtension(db, ctx, await findLine(db, lineScope(actor), body.line_id), body)
      : await priceNewLine(db, ctx, body, trial_days);
  const room = await readTrialRoom(db, actor, today);
  const cost = actor.is_admin ? 0 : priced.cost;
  const balance = await readBalance(db, actor.id);
  return {
    cost,
    balance,
    balance_after: balance - cost,
    expiry_date: priced.expiry_date,
    trials_left: room && Math.max(0, room.left),
  };
};
