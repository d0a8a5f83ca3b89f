import type { Day } from '@linekeeper/contract/dates.ts';
import { type OptInKind, optInKinds } from '@linekeeper/contract/lines/bulk.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import type { Payer, RequestedDuration } from '../price/price.ts';
import type { ChangeableLine } from './locked-line.ts';

/**
 * True if undo may restore this expiry date. A line that was expired before stays renewed: renewing
 * it and undoing that every hour would keep it working for nothing.
 */
export function mayComeBack({ actor, today }: Payer, expiry_date: Day): boolean {
  return actor.is_admin || expiry_date >= today;
}

/** A renewal of many lines, with the kinds of lines that get it only if they are named. */
export interface BulkRenewal extends RequestedDuration {
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

/**
 * Throws LEFT_OUT_EXPIRED, LEFT_OUT_SUSPENDED or LEFT_OUT_TRIAL if a line of this kind is left out: of days each kind that
 * is not named, of months trials.
 */
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
