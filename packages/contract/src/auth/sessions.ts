import * as z from 'zod';
import { done, endpoint } from '../endpoint.ts';
import { id, moment } from '../fields/fields.ts';

/** A place where the account is signed in. */
export const session = z
  .object({
    id: z.string(),
    /** The session of this request. */
    is_current: z.boolean(),
    /** IP address at sign-in. */
    address: z.string().nullable(),
    user_agent: z.string().nullable(),
    created_at: moment,
    /** Accurate to a few minutes. */
    last_used_at: moment,
    expires_at: moment,
  })
  .meta({ id: 'Session' });
export type Session = z.output<typeof session>;

export const listSessions = endpoint('listSessions', 'GET /api/auth/sessions', {
  summary: 'List your sessions',
  description: 'The 100 that were used last, newest first.',
  access: 'account',
  needsSession: true,
  output: z.object({ items: z.array(session) }),
});

export const endSession = endpoint('endSession', 'DELETE /api/auth/sessions/{id}', {
  summary: 'End one of your sessions',
  description: 'The event streams of the session end too.',
  access: 'account',
  needsSession: true,
  params: z.object({ id: id('SESSION_NOT_FOUND') }),
  output: done,
  errors: ['SESSION_NOT_FOUND'],
});

export const endOtherSessions = endpoint('endOtherSessions', 'DELETE /api/auth/sessions', {
  summary: 'End your other sessions',
  description: 'Their event streams end too.',
  access: 'account',
  needsSession: true,
  output: z.object({ ended: z.number().int() }),
});
