import type { Endpoint, Parsed } from '@linekeeper/contract/endpoint.ts';
import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { failTooManyAttempts, Refusal } from '../../platform/errors/refusal.ts';
import {
  consumeLimit,
  type Limit,
  readCount,
  readLimit,
  releaseLimit,
  takenEmailsLimit,
  takenNamesLimit,
} from '../../platform/rate-limit.ts';
import type { Ctx } from '../context/context.ts';

interface Guess {
  limit: Limit;
  /** The field of the body with the name or email. */
  field: string;
}

const name: Guess = { limit: takenNamesLimit, field: 'username' };
const email: Guess = { limit: takenEmailsLimit, field: 'email' };

/** Refusals that reveal a name or email of a line or account which the caller does not see. */
const revealing: Partial<Record<ErrorCode, Guess>> = {
  USERNAME_EXISTS: name,
  NAME_SHARES_FIRST_20: name,
  TRIAL_OF_NAME: name,
  EMAIL_EXISTS: email,
};

/**
 * Query of the subjects that an account's guesses count for: first the account itself, then, for each ancestor that is
 * not an administrator, all accounts below that ancestor together. Accounts that are created only for guessing share
 * one limit in this way, and do not use up the ancestor's own.
 */
const subjectsOf = (accountId: string) => sql<string>`
  select ${accountId}::text as subject
  union all (select 'below ' || ancestor_id
    from account_tree join auth_users on auth_users.id = ancestor_id
    where account_id = ${accountId}::uuid and depth > 0 and not is_admin order by ancestor_id)`;

async function readSubjects(db: Db, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ subject: string }>`${subjectsOf(accountId)}`.execute(db);
  return rows.map(({ subject }) => subject);
}

/** Seconds to wait if no guess is left, or 0. */
export function readGuessWait(db: Db, limit: Limit, accountId: string): Promise<number> {
  return readLimit(db, limit, subjectsOf(accountId));
}

export async function readGuessesLeft(db: Db, limit: Limit, accountId: string): Promise<number> {
  return limit.failures - (await readCount(db, limit, subjectsOf(accountId)));
}

/**
 * Counts a failure, as `consumeLimit` does. An account beyond its own limit uses up nothing of the limits of others.
 */
export async function consumeGuesses(
  db: Db,
  limit: Limit,
  accountId: string,
  failures = 1,
): Promise<number> {
  for (const subject of await readSubjects(db, accountId)) {
    const wait = await consumeLimit(db, limit, subject, failures);
    if (wait > 0) return wait;
  }
  return 0;
}

export async function releaseGuess(db: Db, limit: Limit, accountId: string): Promise<void> {
  for (const subject of await readSubjects(db, accountId)) await releaseLimit(db, limit, subject);
}

/**
 * Counts the existing names and emails that a call finds. A refused call is free of charge and
 * leaves no trace, so without this limit other accounts' names could be enumerated. After too many,
 * calls are refused before any look-up. Throws TOO_MANY_ATTEMPTS.
 */
export async function countingGuesses<T>(
  { db, signedIn }: Ctx,
  { errors = [] }: Endpoint,
  { body }: Parsed<Endpoint>,
  work: () => Promise<T>,
): Promise<T> {
  const guesses = new Set(errors.flatMap((code) => revealing[code] ?? []));
  if (!signedIn || signedIn.is_admin || guesses.size === 0) return work();
  for (const { limit, field } of guesses) {
    const isGuessed = (body as Record<string, unknown> | undefined)?.[field] !== undefined;
    const wait = isGuessed ? await readGuessWait(db, limit, signedIn.id) : 0;
    if (wait > 0) failTooManyAttempts(wait);
  }
  try {
    return await work();
  } catch (error) {
    const guess = error instanceof Refusal && revealing[error.body.code as ErrorCode];
    const wait = guess ? await consumeGuesses(db, guess.limit, signedIn.id) : 0;
    if (wait > 0) failTooManyAttempts(wait);
    throw error;
  }
}
