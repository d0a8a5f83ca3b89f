import type { Limits } from '@linekeeper/contract/accounts/limits.ts';
import type { Day } from '@linekeeper/contract/dates.ts';

export type Counted = Limits['lines'];

/** True if the limit is used up. */
export const isReached = ({ used, bound }: Counted) => bound !== null && used >= bound;

/** The last day on which the account could sell; null if it still sells. */
export const endOf = ({ ends_on: { bound } }: Limits, today: Day): Day | null =>
  bound !== null && bound < today ? bound : null;
