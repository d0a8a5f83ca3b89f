import { type Limits, type LimitsGiven, NEAR_LIMIT } from '@linekeeper/contract/accounts/limits.ts';
import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Counted } from '#domain/accounts/limits.ts';

const fields = [
  'lines',
  'accounts',
  'trials',
  'max_months',
  'may_delete',
  'plan_ids',
  'ends_on',
] as const;

/** What the form holds: the account's own limits, its last day as it is typed. */
export function valuesOf(limits: Limits): LimitsGiven {
  return {
    lines: limits.lines.limit,
    accounts: limits.accounts.limit,
    trials: limits.trials.limit,
    max_months: limits.max_months.limit,
    may_delete: limits.may_delete.limit,
    plan_ids: limits.plan_ids.limit,
    ends_on: limits.ends_on.limit && formatDay(limits.ends_on.limit),
  };
}

type Value = LimitsGiven[keyof LimitsGiven] | undefined;

/** Each limit that would change, with what it is and what it would be. */
export function changedLimits(
  before: LimitsGiven,
  after: Partial<Record<keyof LimitsGiven, Value>>,
) {
  return fields
    .filter((field) => String(before[field]) !== String(after[field]))
    .map((field) => ({ field, before: before[field] as Value, after: after[field] }));
}

/** How many more there can be; null without a limit. */
export const leftOf = ({ used, bound }: Counted) =>
  bound === null ? null : Math.max(0, bound - used);

export const isNear = ({ used, bound }: Counted) => bound !== null && used >= NEAR_LIMIT * bound;

/** The number of lines at which the account was told that few are left; null if it has not come to that. */
export function toldAt({ used, limit }: Counted): number | null {
  const near = Math.ceil(NEAR_LIMIT * (limit ?? 0));
  return near > 0 && used >= near ? near : null;
}
