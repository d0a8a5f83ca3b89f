import type { NewLine } from '@linekeeper/contract/lines/lines.ts';
import type { Tx } from '../../../db/transaction.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import type { Charged } from '../../../domain/credits/charge.ts';
import { insertJob } from '../../../domain/lines/jobs.ts';

/** The line as it was sold. */
interface SoldLine {
  id: string;
  username: string;
  server_id: string;
  owner_id: string;
  expiry_date: string;
}

/** The sale of one line as a job that has ended, so that it is undone like an import of one. Returns its id. */
export function insertSaleJob(
  tx: Tx,
  { actor, address, request_id }: Ctx,
  { id: line_id, username, server_id, owner_id, expiry_date }: SoldLine,
  { cost, transfer_id }: Charged,
  { subscription_months, is_trial }: NewLine,
): Promise<string> {
  const by = { account_id: actor.id, address, request_id };
  const sold = {
    ...(subscription_months && { subscription_months }),
    ...(is_trial && { is_trial }),
  };
  return insertJob(tx, { ...by, action: 'sell', arguments: sold, state: 'done' }, [
    {
      ...{ position: 1, line_id, username, state: 'done', error: null, cost, transfer_id },
      after: { expiry_date, is_trial, server_id, owner_id },
    },
  ]);
}
