import type * as contract from '@linekeeper/contract/lines/lines.ts';
import type { Db } from '../../../db/transaction.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { readBalance } from '../../../domain/credits/balance.ts';
import { findServerOfSale } from '../../../domain/machines/servers.ts';
import type { Action } from '../../../domain/use-cases/use-case.ts';
import { readSettings } from '../../../platform/settings.ts';
import { planExtension } from '../change/extend-line.ts';
import { findLine } from '../list/store.ts';
import { priceTerm, termOfNewLine } from '../price/price.ts';
import { readTrialRoom } from '../price/trial-limits.ts';
import { refuseLongName } from './make-lines.ts';

/** Whether another line has the name says the check of names, which is limited. */
async function checkName(
  db: Db,
  { username, server_id }: { username?: string | undefined; server_id?: string | undefined },
): Promise<void> {
  if (username === undefined) return;
  const server = await findServerOfSale(db, server_id);
  if (server) refuseLongName(username, server);
}

export const quoteLine: Action<typeof contract.quoteLine> = async (ctx, { body }) => {
  const { actor, db } = ctx;
  const today = ctx.today();
  if (body.action === 'create') await checkName(db, body);
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
