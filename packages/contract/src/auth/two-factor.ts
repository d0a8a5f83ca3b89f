import * as z from 'zod';
import { done, endpoint, ofPerson } from '../endpoint.ts';
import { requiredText } from '../fields/fields.ts';
import { currentPassword, me } from './auth.ts';

export const TWO_FACTOR_DIGITS = 6;
/** Seconds in which a sign-in must be completed with a code. */
export const CHALLENGE_SECONDS = 300;
/** Number of wrong codes after which the sign-in starts again. */
export const WRONG_CODES_ALLOWED = 5;

/** A code of six digits. People copy codes with the space in the middle that apps show. */
const code = z
  .string({ error: 'SIX_DIGITS' })
  .max(40, { error: 'SIX_DIGITS' })
  .transform((text) => text.replace(/[\s-]/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, { error: 'SIX_DIGITS' }));

const challenge = requiredText(200);
const codes = { code: code.optional(), recovery_code: requiredText(100).optional() };
const isOneCode = (given: { [Name in keyof typeof codes]?: string | undefined }) =>
  (given.code === undefined) !== (given.recovery_code === undefined);
const needsOne = { path: ['code'], error: 'SIX_DIGITS' as const };

const recoveryCodes = z.array(z.string());

export const twoFactorSignIn = endpoint('twoFactorSignIn', 'POST /api/auth/two-factor/sign-in', {
  summary: 'Complete a sign-in with its second step',
  description: 'Takes a code from the app or a recovery code, and sets the session cookie.',
  access: 'public',
  body: z.object({ challenge, ...codes }).refine(isOneCode, needsOne),
  output: z.object({ user: me }),
  errors: ['CHALLENGE_ENDED', 'TWO_FACTOR_REFUSED', 'TOO_MANY_ATTEMPTS'],
});

export const keepSecondStep = endpoint('keepSecondStep', 'POST /api/auth/two-factor/pending', {
  summary: 'Keep a sign-in that is at its second step',
  description:
    'Stores the sign-in in a cookie that scripts cannot read, so that reloading the page does not lose it.',
  access: 'public',
  body: z.object({ challenge }),
  output: z.object({ seconds_left: z.number().int() }),
  errors: ['CHALLENGE_ENDED'],
});

export const getSecondStep = endpoint('getSecondStep', 'GET /api/auth/two-factor/pending', {
  summary: 'Get the sign-in that is at its second step',
  description: "Returns the sign-in that is stored in this browser's cookie.",
  access: 'public',
  output: z.object({ challenge: z.string(), email: z.string(), seconds_left: z.number().int() }),
  errors: ['CHALLENGE_ENDED'],
});

export const getTwoFactor = endpoint('getTwoFactor', 'GET /api/auth/two-factor', {
  ...ofPerson,
  summary: 'Get the state of your two-factor sign-in',
  description: 'Returns whether two-factor sign-in is on, and how many recovery codes are left.',
  output: z.object({ is_on: z.boolean(), recovery_codes_left: z.number().int() }),
});

export const enableTwoFactor = endpoint('enableTwoFactor', 'POST /api/auth/two-factor/enable', {
  ...ofPerson,
  summary: 'Create a secret for an authenticator app',
  description:
    'Creates the secret and the recovery codes. Two-factor sign-in is on once a code has been verified.',
  body: z.object({ password: currentPassword }),
  output: z.object({
    secret: z.string(),
    otpauth_url: z.string(),
    recovery_codes: recoveryCodes,
  }),
  repliesWithSecret: true,
  errors: ['WRONG_CURRENT_PASSWORD', 'TWO_FACTOR_IS_ON', 'TOO_MANY_ATTEMPTS'],
});

export const verifyTwoFactor = endpoint('verifyTwoFactor', 'POST /api/auth/two-factor/verify', {
  ...ofPerson,
  summary: 'Turn on two-factor sign-in',
  description: 'Takes a first code from the app. Every other session ends.',
  body: z.object({ code }),
  output: done,
  errors: ['WRONG_TWO_FACTOR_CODE', 'TWO_FACTOR_IS_ON', 'TWO_FACTOR_IS_OFF', 'TOO_MANY_ATTEMPTS'],
});

export const disableTwoFactor = endpoint('disableTwoFactor', 'POST /api/auth/two-factor/disable', {
  ...ofPerson,
  summary: 'Turn off two-factor sign-in',
  description: 'Turns off the second step and ends every other session.',
  body: z.object({ password: currentPassword, ...codes }).refine(isOneCode, needsOne),
  output: done,
  errors: [
    'WRONG_CURRENT_PASSWORD',
    'WRONG_TWO_FACTOR_CODE',
    'TWO_FACTOR_IS_OFF',
    'TOO_MANY_ATTEMPTS',
  ],
});

export const newRecoveryCodes = endpoint(
  'newRecoveryCodes',
  'POST /api/auth/two-factor/recovery-codes',
  {
    ...ofPerson,
    summary: 'Create new recovery codes',
    description: 'Creates new codes. The previous ones stop working.',
    body: z.object({ password: currentPassword }),
    output: z.object({ recovery_codes: recoveryCodes }),
    repliesWithSecret: true,
    errors: ['WRONG_CURRENT_PASSWORD', 'TWO_FACTOR_IS_OFF', 'TOO_MANY_ATTEMPTS'],
  },
);
