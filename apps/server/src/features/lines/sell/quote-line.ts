import { isSentWhole } from '@linekeeper/contract/fields/line-credentials.ts';
import type * as contract from '@linekeeper/contract/lines/lines.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { readBalance } from '../../../domain/credits/balance.ts';
import { findServerOfSale } from '../../../domain/machines/servers.ts';
import type { Action } from '../../../domain/use-cases/use-case.ts';
import { failField } from '../../../platform/errors/refusal.ts';
import { readSettings } from '../../../platform/settings.ts';
import { planExtension } from '../change/extend-line.ts';
import { findLine } from '../list/store.ts';
import { priceTerm, termOfNewLine } from '../price/price.ts';
import { readTrialRoom } from '../price/trial-limits.ts';

export const quoteLine: Action<typeof contract.quoteLine> = async (ctx, { body }) => {
  const { actor, db } = ctx;
  const today = ctx.today();
  // Whether another line has the name says the check of names, which is limited.
  if (body.action === 'create' && body.username !== undefined) {
    const server = await findServerOfSale(db, body.server_id);
    const isSent = !server || isSentWhole(body.username, server.protocol);
    if (!isSent) failField('username', 'NAME_TOO_LONG_FOR_CCCAM');
  }
  const { trial_days } = await readSettings(db);
  const priced =
    body.action === 'renew'
      ? await planExtension(db, ctx, await findLine(db, lineScope(actor), body.line_id), body)
      : await priceTerm(db, ctx, termOfNewLine(ctx, body, trial_days));
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
