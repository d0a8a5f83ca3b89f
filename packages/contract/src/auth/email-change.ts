import * as z from 'zod';
import { done, endpoint, ofPerson } from '../endpoint.ts';
import { email, moment } from '../fields/fields.ts';
import { currentPassword } from './auth.ts';

export const changeEmail = endpoint('changeEmail', 'POST /api/auth/change-email', {
  ...ofPerson,
  summary: 'Change your email',
  description:
    'If mail is set up, the change takes effect when the link sent to the new address is opened, and the old address is informed. Without mail, it takes effect immediately. Every other session then ends.',
  body: z.object({ current_password: currentPassword, new_email: email }),
  output: done.extend({ confirmation_needed: z.boolean() }),
  errors: [
    'WRONG_CURRENT_PASSWORD',
    'COULD_NOT_CHANGE_EMAIL',
    'EMAIL_IS_YOURS',
    'TOO_MANY_ATTEMPTS',
  ],
});

export const getEmailChange = endpoint('getEmailChange', 'GET /api/auth/change-email', {
  ...ofPerson,
  summary: 'Get the pending change of your email',
  description: 'The answer is `null` if there is none.',
  output: z.object({ new_email: z.string(), expires_at: moment }).nullable(),
});

export const cancelEmailChange = endpoint('cancelEmailChange', 'DELETE /api/auth/change-email', {
  ...ofPerson,
  summary: 'Cancel the pending change of your email',
  output: done,
});
