import type { dailyUnits } from '@linekeeper/contract/errors.ts';
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import { secondsAhead } from '../../platform/clock.ts';
import { fail, failTemporarily } from '../../platform/errors/refusal.ts';
import { isWindowOver } from '../../platform/rate-limit.ts';
import { readSettings } from '../../platform/settings.ts';
import type { SignedIn } from '../context/access.ts';

const DAY_SECONDS = 24 * 60 * 60;

interface DailyLimit {
  scope: string;
  unit: (typeof dailyUnits)[number];
  /** The most per day, for an account and all accounts below it together. */
  most: number;
}

/** The daily limit of bulk jobs of an account; jobs that were undone count, too. */
export const jobsLimit: DailyLimit = { scope: 'jobs-a-day', unit: 'jobs', most: 1000 };
/** The daily limit of rows of an account's jobs. */
export const jobRowsLimit: DailyLimit = { scope: 'job-rows-a-day', unit: 'rows', most: 200_000 };
/** The daily limit of orders of credits; withdrawn orders count, too. */
export const ordersLimit: DailyLimit = { scope: 'orders-a-day', unit: 'orders', most: 50 };
export const newAccountsLimit: DailyLimit = {
  scope: 'new-accounts-a-day',
  unit: 'accounts',
  most: 200,
};
/** Megabytes of uploads, each file at least one. */
export const uploadedLimit: DailyLimit = { scope: 'uploaded-a-day', unit: 'MB', most: 1000 };

/**
 * The daily limit of changes that are free of charge. Each adds an entry to the audit log, whose
 * entries are not deleted automatically.
 */
export const MOST_ACTS_A_DAY = 5000;
const ACTS = 'acts-a-day';
/** The scope of the limit on delivered lines whose sale or renewal was undone. */
const UNDONE = 'undone-lines-a-day';

/** SQL of the account `above.account_id` and the accounts above it that have limits. */
export const boundedAbove = sql`account_tree above
  join auth_users bounded on bounded.id = above.ancestor_id and not bounded.is_admin`;

/**
 * Adds an amount to an account's daily total, and to those of all accounts above it, so that extra accounts gain
 * nothing (decision 0030). Administrators have no limit. A change calls it last, because other changes of these
 * accounts wait for it. Returns the seconds until there is room again, or 0; the transaction must not commit beyond the
 * limit.
 */
async function addToDay(
  tx: Tx,
  actor: SignedIn,
  { scope, most }: Omit<DailyLimit, 'unit'>,
  added: number,
): Promise<number> {
  if (actor.is_admin || added === 0) return 0;
  const { rows } = await sql<{ count: number; wait: number }>`
    insert into rate_limits (scope, subject, count, window_ends_at)
      select ${scope}::text, bounded.id::text, ${added}::integer,
          ${secondsAhead(DAY_SECONDS)}
        from ${boundedAbove}
        where above.account_id = ${actor.id}
        order by bounded.id
    on conflict (scope, subject) do update set
      count = case when ${isWindowOver} then 0 else rate_limits.count end + excluded.count,
      window_ends_at = case when ${isWindowOver} then excluded.window_ends_at
        else rate_limits.window_ends_at end
    returning count, ceil(extract(epoch from window_ends_at - now()))::int as wait`.execute(tx);
  const waits = rows.map(({ count, wait }) => (count > most ? Math.max(1, wait) : 0));
  return Math.max(0, ...waits);
}

/**
 * Adds to the actor's use of a daily limit, and to that of the accounts above it. Throws
 * DAILY_LIMIT_REACHED if the sum is more than allowed.
 */
export async function countInDay(
  tx: Tx,
  actor: SignedIn,
  limit: DailyLimit,
  added: number,
): Promise<void> {
  const { most, unit } = limit;
  if ((await addToDay(tx, actor, limit, added)) > 0) {
    fail('DAILY_LIMIT_REACHED', { limit: most, unit });
  }
}

/** Counts a change that is free of charge. Throws TOO_MANY_CHANGES if the actor's daily limit is reached. */
export async function countAct(tx: Tx, actor: SignedIn): Promise<void> {
  const wait = await addToDay(tx, actor, { scope: ACTS, most: MOST_ACTS_A_DAY }, 1);
  if (wait > 0) failTemporarily('TOO_MANY_CHANGES', wait, { limit: MOST_ACTS_A_DAY });
}

/**
 * Counts delivered lines whose sale or renewal is undone, against the limit in the settings. Throws UNDO_LIMIT_REACHED.
 */
export async function countUndone(tx: Tx, actor: SignedIn, lines: number): Promise<void> {
  const { undo_daily_limit: limit } = await readSettings(tx);
  const wait = await addToDay(tx, actor, { scope: UNDONE, most: limit }, lines);
  if (wait > 0) fail('UNDO_LIMIT_REACHED', { limit, count: limit });
}

/** Checks, without counting, that the actor may undo so many delivered lines today. Throws UNDO_LIMIT_REACHED. */
export async function refuseUndone(db: Db, actor: SignedIn, lines: number): Promise<void> {
  if (actor.is_admin || lines === 0) return;
  const { undo_daily_limit: limit } = await readSettings(db);
  const { rows } = await sql<{ count: number }>`
    select coalesce(max(count), 0)::integer as count
      from ${boundedAbove}
        join rate_limits on scope = ${UNDONE} and subject = bounded.id::text and not ${isWindowOver}
      where above.account_id = ${actor.id}`.execute(db);
  if ((rows[0]?.count ?? 0) + lines > limit) fail('UNDO_LIMIT_REACHED', { limit, count: limit });
}
