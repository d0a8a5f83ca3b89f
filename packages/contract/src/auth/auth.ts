import * as z from 'zod';
import { done, endpoint, entity } from '../endpoint.ts';
import { email, MAX_PASSWORD_LENGTH, moment, newPassword, requiredText } from '../fields/fields.ts';
import { optionalName, requiredName } from '../fields/names.ts';
import { permissions } from '../permissions.ts';

/** The signed-in account as its owner sees it. An administrator's credits are shown as 1000. */
export const me = entity('Me', {
  id: z.string(),
  email: z.string(),
  username: z.string(),
  full_name: z.string(),
  credits: z.number().int(),
  group_id: z.string(),
  is_admin: z.boolean(),
  permissions: z.array(z.enum(permissions)),
  status: z.enum(['active', 'suspended']),
});
export type Me = z.output<typeof me>;

/** A current password. It is not validated, because an existing one may predate the rules for new ones. */
export const currentPassword = z
  .string({ error: 'REQUIRED' })
  .min(1, { error: 'REQUIRED' })
  .max(MAX_PASSWORD_LENGTH, { error: 'TOO_LONG' });

export const signUp = endpoint('signUp', 'POST /api/auth/sign-up/email', {
  summary: 'Create an account for yourself',
  description: 'Creates an account in group 3, Users.',
  access: 'public',
  body: z.object({
    email,
    password: newPassword,
    name: optionalName,
    username: optionalName,
  }),
  output: done.extend({ confirmation_needed: z.boolean() }),
  errors: ['COULD_NOT_CREATE_ACCOUNT', 'SIGN_UP_CLOSED', 'PASSWORD_TOO_COMMON'],
});

export const confirmEmail = endpoint('confirmEmail', 'POST /api/auth/confirm-email', {
  summary: 'Confirm an email address',
  description:
    'Takes the token from an emailed link, which confirms a new account or a changed address. A new account also needs the cookie or the password of its sign-up. After `SIGN_UP_PASSWORD_NEEDED` and `WRONG_SIGN_UP_PASSWORD` the link still works.',
  access: 'public',
  body: z.object({ token: requiredText(2000), password: currentPassword.optional() }),
  /** `email_changed` is false for a link of a sign-up, whose address is `email`. */
  output: done.extend({ email_changed: z.boolean(), email: z.string().nullable() }),
  errors: [
    'INVALID_CONFIRMATION',
    'SIGN_UP_PASSWORD_NEEDED',
    'WRONG_SIGN_UP_PASSWORD',
    'TOO_MANY_ATTEMPTS',
  ],
});

export const signIn = endpoint('signIn', 'POST /api/auth/sign-in/email', {
  summary: 'Sign in',
  description: 'Sets the session cookie, or asks for the second step.',
  access: 'public',
  body: z.object({ email, password: currentPassword }),
  output: z.union([
    z.object({ user: me }),
    /** Response without a session: the challenge is needed for the second step. */
    z.object({ two_factor_required: z.literal(true), challenge: z.string() }),
  ]),
  errors: ['INVALID_CREDENTIALS', 'TOO_MANY_ATTEMPTS'],
});

export const signOut = endpoint('signOut', 'POST /api/auth/sign-out', {
  summary: 'Sign out',
  description: 'Ends the session and its event streams.',
  access: 'public',
  needsSession: true,
  output: done,
});

export const getSession = endpoint('getSession', 'GET /api/auth/get-session', {
  summary: 'Get the current session',
  description: 'Returns the current session, or `null` if nobody is signed in.',
  access: 'public',
  output: z.object({ user: me, expires_at: moment }).nullable(),
});

export const changePassword = endpoint('changePassword', 'POST /api/auth/change-password', {
  summary: 'Change your password',
  description: 'Sets a new password and ends every other session.',
  access: 'account',
  needsSession: true,
  body: z.object({ current_password: currentPassword, new_password: newPassword }),
  output: done.extend({ message: z.string() }),
  errors: ['WRONG_CURRENT_PASSWORD', 'PASSWORD_TOO_COMMON', 'TOO_MANY_ATTEMPTS'],
});

export const requestPasswordReset = endpoint(
  'requestPasswordReset',
  'POST /api/auth/request-password-reset',
  {
    summary: 'Request a link to reset a password',
    description:
      'Emails a link that works once, for one hour. The response is the same for every address.',
    access: 'public',
    body: z.object({ email }),
    output: done,
    errors: ['NO_MAIL_SERVER', 'TOO_MANY_ATTEMPTS'],
  },
);

export const resetPassword = endpoint('resetPassword', 'POST /api/auth/reset-password', {
  summary: 'Set a new password with a reset link',
  description:
    'Sets the password and ends every session and API key of the account. An account that was invited had no password before: it is signed in, and gets the session cookie.',
  access: 'public',
  body: z.object({ token: requiredText(200), new_password: newPassword }),
  /** The account that is signed in; null for a link that does not sign in. */
  output: done.extend({ message: z.string(), user: me.nullable() }),
  errors: ['INVALID_RESET_LINK', 'PASSWORD_TOO_COMMON', 'TOO_MANY_ATTEMPTS'],
});

export const getMe = endpoint('getMe', 'GET /api/me', {
  summary: 'Get your own account',
  description: 'Returns the account that makes the call, with its balance, group and permissions.',
  access: 'account',
  output: me,
});

export const editMe = endpoint('editMe', 'PATCH /api/me', {
  summary: 'Change your own name and username',
  description:
    'Changes the fields that you send. Use `changeEmail` and `changePassword` for the rest.',
  access: 'account',
  body: z.object({ full_name: optionalName, username: requiredName().optional() }),
  output: me,
});

export const publicSettings = endpoint('publicSettings', 'GET /api/settings/public', {
  summary: 'Get the public settings',
  description: "Returns the settings that anyone can read, and the panel's current day.",
  access: 'public',
  output: z.object({
    site_name: z.string(),
    sign_up_open: z.boolean(),
    legal_notice: z.string(),
    /** False without a mail server; administrators then create links to set a password. */
    sends_mail: z.boolean(),
    trial_days: z.number().int(),
    trial_limit: z.number().int(),
    trial_daily_limit: z.number().int(),
    articles_public: z.boolean(),
    reminder_hour: z.number().int(),
    time_zone: z.string(),
    today: z.string(),
  }),
});
