import type { Endpoint, Parsed } from '@linekeeper/contract/endpoint.ts';
import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import type { Ctx } from '../context.ts';
import { failTooManyAttempts, Refusal } from '../refusal.ts';
import {
  consumeLimit,
  type Limit,
  readLimit,
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
    const wait = isGuessed ? await readLimit(db, limit, signedIn.id) : 0;
    if (wait > 0) failTooManyAttempts(wait);
  }
  try {
    return await work();
  } catch (error) {
    const guess = error instanceof Refusal && telling[error.body.code as ErrorCode];
    const wait = guess ? await consumeLimit(db, guess.limit, signedIn.id) : 0;
    if (wait > 0) failTooManyAttempts(wait);
    throw error;
  }
}
