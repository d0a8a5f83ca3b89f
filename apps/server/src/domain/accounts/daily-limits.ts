import type { dailyUnits } from '@linekeeper/contract/errors.ts';
import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import { isReached } from '../../platform/clock.ts';
import { fail } from '../../platform/errors/refusal.ts';
import type { SignedIn } from '../context/access.ts';

const DAY_SECONDS = 24 * 60 * 60;

interface DailyLimit {
  scope: string;
  unit: (typeof dailyUnits)[number];
  /** Maximum a day, of an account and all below it. */
  most: number;
}

/** Bulk jobs, and jobs that were undone. */
export const jobsLimit: DailyLimit = { scope: 'jobs-a-day', unit: 'jobs', most: 1000 };
/** Rows that they store. */
export const jobRowsLimit: DailyLimit = { scope: 'job-rows-a-day', unit: 'rows', most: 200_000 };
/** Changes of single lines that cost nothing by themselves. */
export const lineEditsLimit: DailyLimit = {
  scope: 'line-edits-a-day',
  unit: 'changes',
  most: 5000,
};
/** Orders of credits, withdrawn ones too. */
export const ordersLimit: DailyLimit = { scope: 'orders-a-day', unit: 'orders', most: 50 };
export const newAccountsLimit: DailyLimit = {
  scope: 'new-accounts-a-day',
  unit: 'accounts',
  most: 200,
};
/** Megabytes of uploads, each file at least one. */
export const uploadedLimit: DailyLimit = { scope: 'uploaded-a-day', unit: 'MB', most: 1000 };

/**
 * Counts what an account stores, for itself and for all above it: accounts made for the purpose gain
 * nothing. Administrators have no limit. The last thing that a change locks, as those beside it wait.
 * Throws DAILY_LIMIT_REACHED.
 */
export async function countInDay(
  tx: Tx,
  actor: SignedIn,
  { scope, unit, most }: DailyLimit,
  taken: number,
): Promise<void> {
  if (actor.is_admin || taken === 0) return;
  const isOver = isReached(sql.ref('rate_limits.window_ends_at'), DAY_SECONDS);
  const { rows } = await sql<{ count: number }>`
    insert into rate_limits (scope, subject, count, window_ends_at)
      select ${scope}::text, bounded.id::text, ${taken}::integer,
          now() + make_interval(secs => ${DAY_SECONDS})
        from account_tree above
          join auth_users bounded on bounded.id = above.ancestor_id and not bounded.is_admin
        where above.account_id = ${actor.id}
        order by bounded.id
    on conflict (scope, subject) do update set
      count = case when ${isOver} then 0 else rate_limits.count end + excluded.count,
      window_ends_at = case when ${isOver} then excluded.window_ends_at
        else rate_limits.window_ends_at end
    returning count`.execute(tx);
  if (rows.some(({ count }) => count > most)) fail('DAILY_LIMIT_REACHED', { limit: most, unit });
}
