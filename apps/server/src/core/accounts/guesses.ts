import type { Endpoint, Parsed } from '@linekeeper/contract/endpoint.ts';
import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import type { Db } from '../../db/transaction.ts';
import type { Ctx } from '../context.ts';
import { failTooManyAttempts, Refusal } from '../refusal.ts';
import {
  consumeLimit,
  type Limit,
  readCount,
  readLimit,
  releaseLimit,
  takenEmailsLimit,
  takenNamesLimit,
} from './rate-limit.ts';

interface Guess {
  limit: Limit;
  /** Where the name or email stands in the body. */
  field: string;
}

const name: Guess = { limit: takenNamesLimit, field: 'username' };
const email: Guess = { limit: takenEmailsLimit, field: 'email' };

/** Refusals that tell of lines and accounts which the caller does not see. */
const telling: Partial<Record<ErrorCode, Guess>> = {
  USERNAME_EXISTS: name,
  NAME_SHARES_FIRST_20: name,
  TRIAL_OF_NAME: name,
  EMAIL_EXISTS: email,
};

/**
 * What an account finds is counted for itself, and for each account above it that is no administrator with
 * all else that those below that one find: accounts made for the purpose share one limit. Nobody above is
 * kept from working by it.
 */
async function subjectsOf(db: Db, accountId: string): Promise<string[]> {
  const above = await db
    .selectFrom('account_tree')
    .innerJoin('auth_users', 'auth_users.id', 'ancestor_id')
    .select('ancestor_id')
    .where('account_id', '=', accountId)
    .where('depth', '>', 0)
    .where('is_admin', '=', false)
    .orderBy('ancestor_id')
    .execute();
  return [accountId, ...above.map(({ ancestor_id }) => `below ${ancestor_id}`)];
}

/** Seconds to wait where no guess is left, else 0. */
export async function readGuessWait(db: Db, limit: Limit, accountId: string): Promise<number> {
  const waits = [];
  for (const subject of await subjectsOf(db, accountId)) {
    waits.push(await readLimit(db, limit, subject));
  }
  return Math.max(...waits);
}

export async function readGuessesLeft(db: Db, limit: Limit, accountId: string): Promise<number> {
  const counts = [];
  for (const subject of await subjectsOf(db, accountId)) {
    counts.push(await readCount(db, limit, subject));
  }
  return limit.failures - Math.max(...counts);
}

/** As `consumeLimit`. Beyond its own limit an account uses up nothing of those beside it. */
export async function consumeGuesses(
  db: Db,
  limit: Limit,
  accountId: string,
  taken = 1,
): Promise<number> {
  for (const subject of await subjectsOf(db, accountId)) {
    const wait = await consumeLimit(db, limit, subject, taken);
    if (wait > 0) return wait;
  }
  return 0;
}

export async function releaseGuess(db: Db, limit: Limit, accountId: string): Promise<void> {
  for (const subject of await subjectsOf(db, accountId)) await releaseLimit(db, limit, subject);
}

/**
 * Counts the names and emails that a call finds taken. What is refused costs nothing and leaves no trace, so
 * others' could be read out. Refused before anything is looked up where too many were found.
 */
export async function countingGuesses<T>(
  { db, signedIn }: Ctx,
  { errors = [] }: Endpoint,
  { body }: Parsed<Endpoint>,
  work: () => Promise<T>,
): Promise<T> {
  const guesses = new Set(errors.flatMap((code) => telling[code] ?? []));
  if (!signedIn || signedIn.is_admin || guesses.size === 0) return work();
  for (const { limit, field } of guesses) {
    const isGuessed = (body as Record<string, unknown> | undefined)?.[field] !== undefined;
    const wait = isGuessed ? await readGuessWait(db, limit, signedIn.id) : 0;
    if (wait > 0) failTooManyAttempts(wait);
  }
  try {
    return await work();
  } catch (error) {
    const guess = error instanceof Refusal && telling[error.body.code as ErrorCode];
    const wait = guess ? await consumeGuesses(db, guess.limit, signedIn.id) : 0;
    if (wait > 0) failTooManyAttempts(wait);
    throw error;
  }
}
