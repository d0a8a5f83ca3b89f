import { isSentWhole } from '@linekeeper/contract/fields/line-credentials.ts';
import type * as contract from '@linekeeper/contract/lines/lines.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { readBalance } from '../../../domain/credits/balance.ts';
import { findServerOfSale } from '../../../domain/machines/servers.ts';
import type { Action } from '../../../domain/use-cases/use-case.ts';
import { failField } from '../../../platform/errors/refusal.ts';
import { readSettings } from '../../../platform/settings.ts';
import { findLine } from '../list/store.ts';
import { readPayer, termOfNewLine, termOfRenewal } from '../price/price.ts';
import { readTrialRoom } from '../price/trial-limits.ts';

export const quoteLine: Action<typeof contract.quoteLine> = async (ctx, { body }) => {
  const { actor, db } = ctx;
  // Whether another line has the name says the check of names, which is limited.
  if (body.action === 'create' && body.username !== undefined) {
    const server = await findServerOfSale(db, body.server_id);
    const isSent = !server || isSentWhole(body.username, server.protocol);
    if (!isSent) failField('username', 'NAME_TOO_LONG_FOR_CCCAM');
  }
  const settings = await readSettings(db);
  const payer = await readPayer(db, ctx);
  const { cost, expiry_date } =
    body.action === 'renew'
      ? termOfRenewal(payer, body, (await findLine(db, lineScope(actor), body.line_id)).expiry_date)
      : termOfNewLine(payer, body, settings.trial_days);
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
