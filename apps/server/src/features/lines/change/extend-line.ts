import type { Day } from '@linekeeper/contract/dates.ts';
import { statusColor } from '@linekeeper/contract/fields/line-fields.ts';
import { LAST_DAY } from '@linekeeper/contract/pricing.ts';
import type { Db, Tx } from '../../../db/transaction.ts';
import { type Charged, charge } from '../../../domain/credits/charge.ts';
import { pushesOf, settle } from '../../../domain/delivery/settle.ts';
import { failField } from '../../../platform/errors/refusal.ts';
import {
  type ActingAccount,
  type PricedDuration,
  priceRenewal,
  type RequestedDuration,
} from '../price/price.ts';
import {
  type ChangeableLine,
  type LineUpdate,
  type LockedLine,
  updateLine,
} from './locked-line.ts';
import type { PushTarget } from './reply-with-sync.ts';

/** More time, or less if that is said. */
export interface RequestedRenewal extends RequestedDuration {
  may_shorten?: boolean | undefined;
}

function refuseToShorten(requested: RequestedRenewal, from: Day, to: Day): void {
  if (to < from && !requested.may_shorten) failField('expiry_date', 'WOULD_SHORTEN');
}

/**
 * The fields of a line with more time at this price. Paid time ends a trial, days for nothing do not. What was
 * expired by its label works again with either.
 */
export function extensionOf(
  line: Pick<ChangeableLine, 'expiry_date' | 'status'>,
  requested: RequestedRenewal,
  priced: PricedDuration,
): PricedDuration & { changes: LineUpdate } {
  refuseToShorten(requested, line.expiry_date, priced.expiry_date);
  const field = requested.subscription_months === undefined ? 'expiry_date' : 'subscription_months';
  if (priced.expiry_date > LAST_DAY) failField(field, 'EXPIRY_TOO_LATE');
  const isPaid = priced.cost > 0 || requested.subscription_months !== undefined;
  const isLonger = isPaid || requested.days !== undefined;
  const isRevived = line.status[0]?.label.toLowerCase() === 'expired' && isLonger;
  return {
    ...priced,
    changes: {
      expiry_date: priced.expiry_date,
      ...(isPaid ? { is_trial: false } : {}),
      ...(requested.subscription_months === undefined
        ? {}
        : { subscription_months: requested.subscription_months }),
      ...(isRevived
        ? {
            status: [{ label: 'active', color: statusColor('active') }, ...line.status.slice(1)],
          }
        : {}),
    },
  };
}

export async function planExtension(
  db: Db,
  acting: ActingAccount,
  line: Pick<ChangeableLine, 'expiry_date' | 'status'>,
  requested: RequestedRenewal,
): Promise<PricedDuration & { changes: LineUpdate }> {
  return extensionOf(line, requested, await priceRenewal(db, acting, requested, line.expiry_date));
}

/** Sells more time for a locked line. Returns the cost and whether its server needs a push. */
export async function extendLine(
  tx: Tx,
  acting: ActingAccount,
  line: LockedLine,
  requested: RequestedRenewal,
  job_id: string | null = null,
): Promise<Charged & { expiry_date: Day; changes: LineUpdate; pushes: PushTarget[] }> {
  const { cost, months, expiry_date, changes } = await planExtension(tx, acting, line, requested);
  const { id: line_id, username } = line;
  await updateLine(tx, line_id, changes);
  const sale = { kind: 'renewal' as const, cost, line_id, username, term: { months, expiry_date } };
  const charged = await charge(tx, acting.actor, sale, job_id);
  const pushes = pushesOf(await settle(tx, [line_id]));
  return { ...charged, expiry_date, changes, pushes };
}
