import {
  enforceLimit,
  releaseLimit,
  signInAddressLimit,
  signInLimit,
} from '../../platform/rate-limit.ts';
import type { Ctx } from '../context/context.ts';

/**
 * Counts a failed sign-in for `subject` and for the client address before the password is checked.
 * Returns a function that undoes it, for a correct password or one that was not checked.
 */
export async function enforcePasswordLimit(
  { db, network }: Ctx,
  subject: string,
): Promise<() => Promise<void>> {
  await enforceLimit(db, signInLimit, subject);
  try {
    await enforceLimit(db, signInAddressLimit, network);
  } catch (error) {
    await releaseLimit(db, signInLimit, subject);
    throw error;
  }
  return async () => {
    await releaseLimit(db, signInLimit, subject);
    await releaseLimit(db, signInAddressLimit, network);
  };
}
