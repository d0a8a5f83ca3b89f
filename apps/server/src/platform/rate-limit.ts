import { MAX_UPLOADS_AN_HOUR } from '@linekeeper/contract/tickets/attachments.ts';
import { MAX_REPLIES_AN_HOUR, MAX_TICKETS_AN_HOUR } from '@linekeeper/contract/tickets/tickets.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/transaction.ts';
import { secondsAhead } from './clock.ts';
import { failTooManyAttempts } from './errors/refusal.ts';

export interface Limit {
  scope: string;
  /** Failures allowed per window. */
  failures: number;
  window_seconds: number;
}

/** SQL condition on a row of `rate_limits`: what it has counted counts no more. */
export const isWindowOver = sql<boolean>`rate_limits.window_ends_at <= now()`;

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
/** How long the windows of each scope last. */
export const windowSeconds: Record<string, number> = {};

export function limitOf(scope: string, failures: number, window_seconds: number): Limit {
  windowSeconds[scope] = window_seconds;
  return { scope, failures, window_seconds };
}

export const signInLimit = limitOf('sign-in', 5, 5 * MINUTE_SECONDS);
/** Counts over all accounts, against one address that tries many of them. */
export const signInAddressLimit = limitOf('sign-in-address', 30, 5 * MINUTE_SECONDS);
/**
 * Per account, wherever they come from: an attacker with many networks has no more guesses than these.
 * Networks from which the account is signed in are not counted, so that its owner still gets in.
 */
export const signInAccountLimit = limitOf('sign-in-account', 100, HOUR_SECONDS);
/** Per address: API keys that are none, or no more. */
export const apiKeyLimit = limitOf('api-key', 30, 5 * MINUTE_SECONDS);
/** Per address: keys of agents that are none, or no more. */
export const agentKeyLimit = limitOf('agent-key', 20, 5 * MINUTE_SECONDS);
/** Per awaited agent: calls back to the address that it called from, until somebody has confirmed it. */
export const callBackLimit = limitOf('call-back', 30, HOUR_SECONDS);
/** Per address: agents fetched, each with a Node of its own. */
export const agentFilesLimit = limitOf('agent-files', 30, HOUR_SECONDS);
/**
 * Per account, wherever they come from: codes of its app, of which there are only a million. Recovery
 * codes cannot be guessed, so their owner still gets in.
 */
export const twoFactorLimit = limitOf('two-factor', 30, HOUR_SECONDS);
/** Per account: mails to new addresses. */
export const changeEmailLimit = limitOf('change-email', 5, HOUR_SECONDS);
/** Per address: tokens of reset links that are none. */
export const resetLimit = limitOf('reset', 10, HOUR_SECONDS);
/** Per address: links asked for by mail, whether the account exists or not. */
export const resetRequestLimit = limitOf('reset-request', 10, HOUR_SECONDS);
/** Per address that is signed in with: wrong passwords that the audit log takes; it is never tidied. */
export const auditedFailuresLimit = limitOf('audited-failures', 30, HOUR_SECONDS);
/** Per account: its sign-ins and sign-outs that the audit log takes. */
export const auditedSessionsLimit = limitOf('audited-sessions', 60, HOUR_SECONDS);
/** Per account: names that other lines have, found by checks, previews and refused sales. */
export const takenNamesLimit = limitOf('taken-names', 60, 5 * MINUTE_SECONDS);
/** Per line: orders to end its sessions, each of which takes several calls of its card server. */
export const endSessionsLimit = limitOf('end-sessions', 1, 10);
/** Per account: emails that other accounts have, found by accounts that were not made. */
export const takenEmailsLimit = limitOf('taken-emails', 20, HOUR_SECONDS);
export const signUpLimit = limitOf('sign-up', 10, HOUR_SECONDS);
/** Per network address: messages by the contact form. */
export const contactLimit = limitOf('contact', 10, HOUR_SECONDS);

/** Per account that is no administrator: new tickets, each of which is mailed to all administrators. */
export const ticketsLimit = limitOf('tickets', MAX_TICKETS_AN_HOUR, HOUR_SECONDS);
export const ticketRepliesLimit = limitOf('ticket-replies', MAX_REPLIES_AN_HOUR, HOUR_SECONDS);

/** Per account: uploads, because even a deleted one has cost the database work. */
export const uploadsLimit = limitOf('uploads', MAX_UPLOADS_AN_HOUR, HOUR_SECONDS);
/** Per account: codes that do not exist. */
export const unknownCodesLimit = limitOf('unknown-codes', 10, HOUR_SECONDS);

/** One subject, or a query of several that are counted together. */
type Subjects = string | RawBuilder<string>;

/**
 * Seconds to wait where no failure is left, else 0; of several subjects the longest. For attempts that wait
 * for each other and count their failure afterwards.
 */
export async function readLimit(db: Db, limit: Limit, subjects: Subjects): Promise<number> {
  const { rows } = await sql<{ wait: number | null }>`
    select max(greatest(1, ceil(extract(epoch from window_ends_at - now()))))::int as wait
      from rate_limits
      where scope = ${limit.scope} and subject in (${subjects}) and count >= ${limit.failures}
        and not ${isWindowOver}`.execute(db);
  return rows[0]?.wait ?? 0;
}

/** Failures so far in the window; of several subjects the most. */
export async function readCount(db: Db, limit: Limit, subjects: Subjects): Promise<number> {
  const { rows } = await sql<{ count: number | null }>`
    select max(count) as count from rate_limits
      where scope = ${limit.scope} and subject in (${subjects})
        and not ${isWindowOver}`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Takes one of the allowed failures before the attempt, so that attempts side by side cannot pass
 * together; the caller gives it back with `releaseLimit` where the attempt was none. Returns the seconds to
 * wait where none is left, else 0.
 *
 * @param failures how many the attempt counts as.
 */
export async function consumeLimit(
  db: Db,
  limit: Limit,
  subject: string,
  failures = 1,
): Promise<number> {
  const { rows } = await sql<{ count: number; wait: number }>`
    insert into rate_limits (scope, subject, count, window_ends_at)
      values (${limit.scope}, ${subject}, ${failures}, ${secondsAhead(limit.window_seconds)})
    on conflict (scope, subject) do update set
      count = case when ${isWindowOver} then excluded.count
        else least(rate_limits.count, ${limit.failures}) + excluded.count end,
      window_ends_at = case when ${isWindowOver} then excluded.window_ends_at
        else rate_limits.window_ends_at end
    returning count, ceil(extract(epoch from window_ends_at - now()))::int as wait`.execute(db);
  const [row] = rows;
  return row && row.count > limit.failures ? Math.max(1, row.wait) : 0;
}

/** Counts a failure as `consumeLimit` does. Throws TOO_MANY_ATTEMPTS, with the seconds to wait, if the limit is reached. */
export async function enforceLimit(db: Db, limit: Limit, subject: string): Promise<void> {
  const wait = await consumeLimit(db, limit, subject);
  if (wait > 0) failTooManyAttempts(wait);
}

/** Gives back an attempt that `consumeLimit` took and that was none. */
export async function releaseLimit(db: Db, limit: Limit, subject: string): Promise<void> {
  await sql`update rate_limits set count = greatest(count - 1, 0)
    where scope = ${limit.scope} and subject = ${subject}`.execute(db);
}

/** Forgets the wrong passwords and codes of an account whose sign-in was set anew. */
export async function forgiveFailures(db: Db, account: { id: string; email: string }) {
  await sql`delete from rate_limits
    where scope in (${signInLimit.scope}, ${signInAccountLimit.scope}, ${twoFactorLimit.scope})
      and (subject in (${account.id}, ${account.email})
        or starts_with(subject, ${`${account.email} `}))`.execute(db);
}

export async function deleteEndedWindows(db: Db): Promise<void> {
  await sql`delete from rate_limits where ${isWindowOver}`.execute(db);
}
