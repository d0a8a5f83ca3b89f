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

/** SQL condition on a row of `rate_limits`: its window has ended, so its count is no longer valid. */
export const isWindowOver = sql<boolean>`rate_limits.window_ends_at <= now()`;

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
/** The length in seconds of the window in which each kind of attempt is counted. */
export const windowSeconds: Record<string, number> = {};

export function limitOf(scope: string, failures: number, window_seconds: number): Limit {
  windowSeconds[scope] = window_seconds;
  return { scope, failures, window_seconds };
}

export const signInLimit = limitOf('sign-in', 5, 5 * MINUTE_SECONDS);
/** Failed sign-ins per client address, over all accounts that it tries. */
export const signInAddressLimit = limitOf('sign-in-address', 30, 5 * MINUTE_SECONDS);
/**
 * Failed sign-ins per account from any address, so that an attacker with many networks has no more guesses. Networks
 * with a session of the account are not counted, so that its owner can still sign in.
 */
export const signInAccountLimit = limitOf('sign-in-account', 100, HOUR_SECONDS);
/** API keys per client address that are unknown or no longer valid. */
export const apiKeyLimit = limitOf('api-key', 30, 5 * MINUTE_SECONDS);
/** Agents' keys per client address that are unknown or no longer valid. */
export const agentKeyLimit = limitOf('agent-key', 20, 5 * MINUTE_SECONDS);
/** Calls back per awaited agent, to the address from which it called, until an administrator confirms that address. */
export const callBackLimit = limitOf('call-back', 30, HOUR_SECONDS);
/** Downloads of agents per client address, each of which includes a Node. */
export const agentFilesLimit = limitOf('agent-files', 30, HOUR_SECONDS);
/**
 * Wrong codes of the app per account from any address; there are only a million codes. Recovery
 * codes cannot be guessed, so the account's owner can still sign in with one.
 */
export const twoFactorLimit = limitOf('two-factor', 30, HOUR_SECONDS);
/** Emails to new addresses per account. */
export const changeEmailLimit = limitOf('change-email', 5, HOUR_SECONDS);
/** Invalid tokens of reset links per client address. */
export const resetLimit = limitOf('reset', 10, HOUR_SECONDS);
/** Requests for reset links per client address, whether the account exists or not. */
export const resetRequestLimit = limitOf('reset-request', 10, HOUR_SECONDS);
/** Wrong passwords per email that are written to the audit log, which keeps its entries forever. */
export const auditedFailuresLimit = limitOf('audited-failures', 30, HOUR_SECONDS);
/** Sign-ins and sign-outs per account that the audit log records. */
export const auditedSessionsLimit = limitOf('audited-sessions', 60, HOUR_SECONDS);
/** Names of other accounts' lines that an account finds through checks, previews and refused sales. */
export const takenNamesLimit = limitOf('taken-names', 60, 5 * MINUTE_SECONDS);
/** Names of other lines per activation code. Its customer must not use up the tries of its seller, whose sales would wait. */
export const activationNamesLimit = limitOf('activation-names', 10, HOUR_SECONDS);
/** Names of other lines over all activation codes of a seller, who could otherwise make many and refund them after the guesses. */
export const sellersActivationNamesLimit = limitOf(
  'activation-names-of-seller',
  60,
  5 * MINUTE_SECONDS,
);
/** Calls per line that end its sessions, each of which takes several calls of its card server. */
export const endSessionsLimit = limitOf('end-sessions', 1, 10);
/** Emails of other accounts that an account finds through refused creations of accounts. */
export const takenEmailsLimit = limitOf('taken-emails', 20, HOUR_SECONDS);
export const signUpLimit = limitOf('sign-up', 10, HOUR_SECONDS);
/** Messages of the contact form per client address. */
export const contactLimit = limitOf('contact', 10, HOUR_SECONDS);
/** Links of customers' pages per client address that are unknown, such as withdrawn ones. */
export const customerPagesLimit = limitOf('customer-pages', 30, 5 * MINUTE_SECONDS);

/** New tickets per account other than an administrator's, each of which is emailed to all administrators. */
export const ticketsLimit = limitOf('tickets', MAX_TICKETS_AN_HOUR, HOUR_SECONDS);
export const ticketRepliesLimit = limitOf('ticket-replies', MAX_REPLIES_AN_HOUR, HOUR_SECONDS);

/** Uploads per account, because even a deleted one has cost the database work. */
export const uploadsLimit = limitOf('uploads', MAX_UPLOADS_AN_HOUR, HOUR_SECONDS);
/** Redeem codes that do not exist, per account, and activation codes, per client address. A used or expired code does not count, because it is not a guess. */
export const unknownCodesLimit = limitOf('unknown-codes', 10, HOUR_SECONDS);

/** One subject, or a query of several whose counts are compared. */
type Subjects = string | RawBuilder<string>;

/**
 * The seconds until another attempt is allowed, or 0; for several subjects, the longest. For attempts that come one
 * after the other and count their failure afterwards.
 */
export async function readLimit(db: Db, limit: Limit, subjects: Subjects): Promise<number> {
  const { rows } = await sql<{ wait: number | null }>`
    select max(greatest(1, ceil(extract(epoch from window_ends_at - now()))))::int as wait
      from rate_limits
      where scope = ${limit.scope} and subject in (${subjects}) and count >= ${limit.failures}
        and not ${isWindowOver}`.execute(db);
  return rows[0]?.wait ?? 0;
}

/** The number of failures in the current window; of several subjects, the highest. */
export async function readCount(db: Db, limit: Limit, subjects: Subjects): Promise<number> {
  const { rows } = await sql<{ count: number | null }>`
    select max(count) as count from rate_limits
      where scope = ${limit.scope} and subject in (${subjects})
        and not ${isWindowOver}`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Counts an attempt as failed before it is made, so that attempts at the same time cannot exceed
 * the limit together; the caller removes the failure with `releaseLimit` if the attempt does not
 * count. Returns the seconds to wait if the limit is reached, or 0.
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

/** Removes a failure that `consumeLimit` counted, if the attempt does not count. */
export async function releaseLimit(db: Db, limit: Limit, subject: string): Promise<void> {
  await sql`update rate_limits set count = greatest(count - 1, 0)
    where scope = ${limit.scope} and subject = ${subject}`.execute(db);
}

/** Resets the counts of wrong passwords and codes of an account whose sign-in was reset. */
export async function forgiveFailures(db: Db, account: { id: string; email: string }) {
  await sql`delete from rate_limits
    where scope in (${signInLimit.scope}, ${signInAccountLimit.scope}, ${twoFactorLimit.scope})
      and (subject in (${account.id}, ${account.email})
        or starts_with(subject, ${`${account.email} `}))`.execute(db);
}

export async function deleteEndedWindows(db: Db): Promise<void> {
  await sql`delete from rate_limits where ${isWindowOver}`.execute(db);
}
