import * as z from 'zod';
import { done, endpoint, ofPerson } from '../endpoint.ts';
import { email, moment } from '../fields/fields.ts';
import { currentPassword } from './auth.ts';

export const changeEmail = endpoint('changeEmail', 'POST /api/auth/change-email', {
  ...ofPerson,
  summary: 'Change your email',
  description:
    'Emails a link to the new address. The change takes effect when the link is opened, and the old address is informed. Without a mail server, it takes effect immediately. Every other session then ends.',
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
  description: 'Returns the pending change, or `null` if there is none.',
  output: z.object({ new_email: z.string(), expires_at: moment }).nullable(),
});

export const cancelEmailChange = endpoint('cancelEmailChange', 'DELETE /api/auth/change-email', {
  ...ofPerson,
  summary: 'Cancel the pending change of your email',
  description: 'Cancels the change. Its link stops working, and the address stays as it is.',
  output: done,
});
