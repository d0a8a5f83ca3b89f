import type { Day } from '@linekeeper/contract/dates.ts';
import { statusColor } from '@linekeeper/contract/fields/line-fields.ts';
import { type OptInKind, optInKinds } from '@linekeeper/contract/lines/bulk.ts';
import { LAST_DAY } from '@linekeeper/contract/pricing.ts';
import type { Db } from '../../../db/transaction.ts';
import { fail, failField } from '../../../platform/errors/refusal.ts';
import {
  type ActingAccount,
  type PricedDuration,
  priceTerm,
  type RequestedDuration,
  termOfRenewal,
} from '../price/price.ts';
import type { ChangeableLine, LineUpdate } from './locked-line.ts';

/** More time, or less if that is said. */
export interface RequestedRenewal extends RequestedDuration {
  may_shorten?: boolean | undefined;
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
  const isShorter = priced.expiry_date < line.expiry_date;
  if (isShorter && !requested.may_shorten) failField('expiry_date', 'WOULD_SHORTEN');
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
  const term = termOfRenewal(acting, requested, line.expiry_date);
  return extensionOf(line, requested, await priceTerm(db, acting, term));
}

/**
 * True if undo may restore this expiry date. A line that was expired before stays renewed: renewing
 * it and undoing that every hour would keep it working for nothing.
 */
export function mayComeBack(
  { actor, today }: Pick<ActingAccount, 'actor' | 'today'>,
  expiry_date: Day,
): boolean {
  return actor.is_admin || expiry_date >= today();
}

/** A renewal of many lines, with the kinds of lines that get it only if they are named. */
export interface BulkRenewal extends RequestedRenewal {
  include?: readonly OptInKind[] | undefined;
}

type Named = Pick<ChangeableLine, 'expiry_date' | 'suspension' | 'is_trial'>;

const isOfKind: Record<OptInKind, (line: Named, today: Day) => boolean> = {
  expired: ({ expiry_date }, today) => expiry_date < today,
  suspended: ({ suspension }) => suspension !== null,
  trial: ({ is_trial }) => is_trial,
};

const refusals = {
  expired: 'LEFT_OUT_EXPIRED',
  suspended: 'LEFT_OUT_SUSPENDED',
  trial: 'LEFT_OUT_TRIAL',
} as const satisfies Record<OptInKind, string>;

const kindsOf = (line: Named, today: Day) =>
  optInKinds.filter((kind) => isOfKind[kind](line, today));

/** Throws the reason if a line of this kind is left out: of days each kind that is not named, of months trials. */
export function refuseLeftOut(line: Named, { days, include = [] }: BulkRenewal, today: Day): void {
  const left = kindsOf(line, today).find(
    (kind) => !include.includes(kind) && (days !== undefined || kind === 'trial'),
  );
  if (left) fail(refusals[left]);
}

/** How many of the lines are of each kind; one may be of several. */
export function countKinds(lines: readonly Named[], today: Day): Record<OptInKind, number> {
  const counts = { expired: 0, suspended: 0, trial: 0 };
  for (const line of lines) for (const kind of kindsOf(line, today)) counts[kind]++;
  return counts;
}
