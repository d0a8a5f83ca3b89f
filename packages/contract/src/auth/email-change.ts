import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { email, moment } from '../fields/fields.ts';
import { currentPassword, done } from './auth.ts';

export const changeEmail = endpoint({
  name: 'changeEmail',
  method: 'POST',
  path: '/api/auth/change-email',
  summary:
    'Change the own address. With mail, once the link sent to it is opened, and the old one is told; ' +
    'without, at once. Every other session ends when it changes',
  access: 'account',
  needsSession: true,
  body: z.object({ current_password: currentPassword, new_email: email }),
  output: z.object({ success: z.literal(true), confirmation_needed: z.boolean() }),
  errors: [
    'WRONG_CURRENT_PASSWORD',
    'COULD_NOT_CHANGE_EMAIL',
    'EMAIL_IS_YOURS',
    'TOO_MANY_ATTEMPTS',
  ],
});

export const getEmailChange = endpoint({
  name: 'getEmailChange',
  method: 'GET',
  path: '/api/auth/change-email',
  summary: 'The change of the own address that waits to be confirmed, or null',
  access: 'account',
  needsSession: true,
  output: z.object({ new_email: z.string(), expires_at: moment }).nullable(),
});

export const cancelEmailChange = endpoint({
  name: 'cancelEmailChange',
  method: 'DELETE',
  path: '/api/auth/change-email',
  summary: 'Give up the change of the own address that waits to be confirmed',
  access: 'account',
  needsSession: true,
  output: done,
});
