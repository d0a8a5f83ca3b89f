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

/** The values of the form: the account's own limits, with the last day as typed text. */
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

/** Each changed limit, with its present and its new value. */
export function changedLimits(
  before: LimitsGiven,
  after: Partial<Record<keyof LimitsGiven, Value>>,
) {
  return fields
    .filter((field) => String(before[field]) !== String(after[field]))
    .map((field) => ({ field, before: before[field] as Value, after: after[field] }));
}

/** The number that the account can still have; null without a limit. */
export const leftOf = ({ used, bound }: Counted) =>
  bound === null ? null : Math.max(0, bound - used);

export const isNear = ({ used, bound }: Counted) => bound !== null && used >= NEAR_LIMIT * bound;

/** The number of lines at which the account was notified that few are left; null if it was not notified. */
export function toldAt({ used, limit }: Counted): number | null {
  const near = Math.ceil(NEAR_LIMIT * (limit ?? 0));
  return near > 0 && used >= near ? near : null;
}
