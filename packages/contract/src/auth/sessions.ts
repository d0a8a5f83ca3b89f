import * as z from 'zod';
import { done, endpoint, entity, ofPerson, ofRecord } from '../endpoint.ts';
import { moment } from '../fields/fields.ts';

/** A session of an account: a browser in which it is signed in. */
export const session = entity('Session', {
  id: z.string(),
  is_current: z.boolean(),
  /** IP address at sign-in. */
  address: z.string().nullable(),
  user_agent: z.string().nullable(),
  created_at: moment,
  /** Time of the last use, accurate to a few minutes. */
  last_used_at: moment,
  expires_at: moment,
});
export type Session = z.output<typeof session>;

export const listSessions = endpoint('listSessions', 'GET /api/auth/sessions', {
  ...ofPerson,
  summary: 'List your sessions',
  description: 'Lists the 100 sessions that were used last, newest first.',
  output: z.object({ items: z.array(session) }),
});

export const endSession = endpoint('endSession', 'DELETE /api/auth/sessions/{id}', {
  ...ofPerson,
  ...ofRecord('account', 'SESSION_NOT_FOUND'),
  summary: 'End one of your sessions',
  description: 'Ends the session and its event streams.',
  output: done,
});

export const endOtherSessions = endpoint('endOtherSessions', 'DELETE /api/auth/sessions', {
  ...ofPerson,
  summary: 'End your other sessions',
  description: 'Ends every session except the one that makes the call, and their event streams.',
  output: z.object({ ended: z.number().int() }),
});
