import { sql } from 'kysely';
import type { Db } from '../db/transaction.ts';
import { failAttempts } from './refusal.ts';

export interface Limit {
  scope: string;
  /** Failures allowed in a window. */
  failures: number;
  window_seconds: number;
}

export const signInLimit: Limit = { scope: 'sign-in', failures: 5, window_seconds: 300 };
export const signUpLimit: Limit = { scope: 'sign-up', failures: 10, window_seconds: 3600 };

/**
 * Takes one of the allowed failures before the attempt, so that attempts side by side cannot pass
 * together; the caller gives it back with `forgive` where the attempt was none. Throws 429 with the
 * seconds to wait.
 */
export async function countAttempt(db: Db, limit: Limit, subject: string): Promise<void> {
  const { rows } = await sql<{ count: number; wait: number }>`
    insert into rate_limits (scope, subject, count, window_ends_at)
      values (${limit.scope}, ${subject}, 1, now() + make_interval(secs => ${limit.window_seconds}))
    on conflict (scope, subject) do update set
      count = case when rate_limits.window_ends_at <= now() then 1
        else least(rate_limits.count, ${limit.failures}) + 1 end,
      window_ends_at = case when rate_limits.window_ends_at <= now() then excluded.window_ends_at
        else rate_limits.window_ends_at end
    returning count, ceil(extract(epoch from window_ends_at - now()))::int as wait`.execute(db);
  const [row] = rows;
  if (row && row.count > limit.failures) failAttempts(Math.max(1, row.wait));
}

export async function forgive(db: Db, limit: Limit, subject: string): Promise<void> {
  await sql`update rate_limits set count = greatest(count - 1, 0)
    where scope = ${limit.scope} and subject = ${subject}`.execute(db);
}

export async function deleteEndedWindows(db: Db): Promise<void> {
  await sql`delete from rate_limits where window_ends_at < now()`.execute(db);
}
