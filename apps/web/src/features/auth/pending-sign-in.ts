import { getSecondStep, keepSecondStep } from '@linekeeper/contract/auth/two-factor.ts';
import { ApiError, call } from '#platform/api/client.ts';
import { loadTexts } from '#platform/i18n/i18n.ts';
import { notePendingSignIn } from './pending-sign-in-note.ts';
import { SecondStep } from './second-step.tsx';

export interface PendingSignIn {
  email: string;
  challenge: string;
  /** Seconds until the sign-in ends; null if the panel did not report them. */
  seconds_left: number | null;
  SecondStep: typeof SecondStep;
}

/**
 * Begins the second step of a sign-in. The panel keeps the challenge in a cookie, so that a reload
 * of the page returns to this step; if that fails, the sign-in continues without the cookie.
 */
export async function beginPendingSignIn(email: string, challenge: string): Promise<PendingSignIn> {
  const [kept] = await Promise.all([
    call(keepSecondStep, { body: { challenge } }).catch(() => null),
    loadTexts('twoFactor'),
  ]);
  if (kept) notePendingSignIn();
  return { email, challenge, seconds_left: kept?.seconds_left ?? null, SecondStep };
}

/**
 * Resumes a sign-in that was waiting for its code before the page was reloaded. Throws CHALLENGE_ENDED if it has
 * expired.
 */
export async function resumePendingSignIn(): Promise<PendingSignIn> {
  const [kept] = await Promise.all([call(getSecondStep), loadTexts('twoFactor')]);
  return { ...kept, SecondStep };
}

/** The error for a challenge that has expired in the browser, as the panel would return it. */
export function challengeEnded(): ApiError {
  return new ApiError({ status: 401, code: 'CHALLENGE_ENDED', message: '' });
}
