import type { Day } from '@linekeeper/contract/dates.ts';
import { type OptInKind, optInKinds } from '@linekeeper/contract/lines/bulk.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { type AskedTerm, type Payer, termOfRenewal } from '../price/price.ts';
import type { AskedChange } from './asked-change.ts';
import type { ChangeableLine } from './locked-line.ts';
import { changedFields } from './plan.ts';
import { revived } from './suspension.ts';

/**
 * The plan for more time of a line, or for less if `may_shorten`; `before` and `after` are empty if
 * the line has that time already. Paid time ends a trial, free days do not. Either one reactivates
 * a line with the label "expired". Throws the errors of `termOfRenewal`.
 */
export function planRenewal(line: ChangeableLine, asked: AskedTerm, payer: Payer) {
  const { subscription_months, days } = asked;
  const term = termOfRenewal(payer, asked, line);
  const isPaid = term.months > 0;
  const isRevived = isPaid || days !== undefined;
  const [first, ...others] = line.status;
  const changes = {
    expiry_date: term.expiry_date,
    ...(isPaid && { is_trial: false }),
    ...(subscription_months !== undefined && { subscription_months }),
    ...(first && isRevived && { status: [revived(first), ...others] }),
  };
  return { ...changedFields(line, changes), cost: term.cost, term };
}

/**
 * True if undo may restore this expiry date. A line that was expired before stays renewed: a renewal and its undo every
 * hour would otherwise keep it working free of charge.
 */
export function mayComeBack({ actor, today }: Payer, expiry_date: Day): boolean {
  return actor.is_admin || expiry_date >= today;
}

const isOfKind: Record<OptInKind, (line: ChangeableLine, today: Day) => boolean> = {
  expired: ({ expiry_date }, today) => expiry_date < today,
  suspended: ({ suspension }) => suspension !== null,
  trial: ({ is_trial }) => is_trial,
};

const refusals = {
  expired: 'LEFT_OUT_EXPIRED',
  suspended: 'LEFT_OUT_SUSPENDED',
  trial: 'LEFT_OUT_TRIAL',
} as const satisfies Record<OptInKind, string>;

const kindsOf = (line: ChangeableLine, today: Day) =>
  optInKinds.filter((kind) => isOfKind[kind](line, today));

/**
 * Skips a line of a job if its kind was not chosen: expired, suspended and trial lines for added days, and trials for
 * months. Throws LEFT_OUT_EXPIRED, LEFT_OUT_SUSPENDED or LEFT_OUT_TRIAL.
 */
export function refuseLeftOut(
  line: ChangeableLine,
  { days, include = [] }: Extract<AskedChange, { action: 'renew' }>,
  today: Day,
): void {
  const left = kindsOf(line, today).find(
    (kind) => !include.includes(kind) && (days !== undefined || kind === 'trial'),
  );
  if (left) fail(refusals[left]);
}

/** Number of the lines of each kind; a line may be of several kinds. */
export function countKinds(
  lines: readonly ChangeableLine[],
  today: Day,
): Record<OptInKind, number> {
  const counts = { expired: 0, suspended: 0, trial: 0 };
  for (const line of lines) for (const kind of kindsOf(line, today)) counts[kind]++;
  return counts;
}
