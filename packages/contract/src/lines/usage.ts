import * as z from 'zod';
import { endpoint, entity } from '../endpoint.ts';
import { moment, numberInQuery } from '../fields/fields.ts';
import { findingReply } from '../findings.ts';
import { presence, session } from '../servers/presence.ts';
import { ofLine } from './lines.ts';

const USAGE_DAYS = 30;

const usageDay = z.object({
  day: z.string(),
  minutes_known: z.number().int(),
  minutes_online: z.number().int(),
  requests_ok: z.number().int(),
  requests_refused: z.number().int(),
  requests_timed_out: z.number().int(),
  mean_ms: z.number().int().nullable(),
  most_connections: z.number().int(),
  networks: z.number().int(),
});
export type UsageDay = z.output<typeof usageDay>;

/** A high share of refused requests now, with the usual share for comparison; shares from 0 to 1. */
const refusals = z.object({
  since: moment,
  share: z.number(),
  usual: z.number().nullable(),
  server_share: z.number().nullable(),
});

/**
 * A sign of sharing: more connections from different networks at the same time than allowed. It has
 * facts, but no verdict.
 */
const sharing = z.object({
  connections: z.number().int(),
  networks: z.number().int(),
  allowed: z.number().int(),
  times: z.number().int(),
  first_at: moment,
  last_at: moment,
  suspended_until: moment.nullable(),
});
export type Sharing = z.output<typeof sharing>;

export const lineUsage = endpoint('lineUsage', 'GET /api/lines/{id}/usage', {
  ...ofLine,
  summary: 'Get the sessions and the usage of a line',
  description:
    "Returns the line's sessions of the moment and its usage by day, in the panel's time zone, today last. The panel never keeps what was watched.",
  query: z.object({ days: numberInQuery(1, USAGE_DAYS).default(USAGE_DAYS) }),
  output: entity('Usage', {
    presence,
    read_at: moment.nullable(),
    sessions: z.array(session),
    can_end_sessions: z.boolean(),
    days: z.array(usageDay),
    refusals: refusals.nullable(),
    sharing: sharing.nullable(),
  }),
});
export type Usage = z.output<typeof lineUsage.output>;

export const endSessions = endpoint('endSessions', 'POST /api/lines/{id}/end-sessions', {
  ...ofLine,
  summary: 'End the sessions of a line',
  description:
    'Ends the sessions that the card server has for the line; you can call it once in ten seconds. Sessions continue if the card server has not taken the line from the panel. The line may connect again immediately. The audit log records each call.',
  output: z.object({
    /** Number of sessions that were ended. */
    ended: z.number().int(),
    /** The reason why the server ended no session; null if it did. */
    ...findingReply,
  }),
  errors: ['TOO_MANY_ATTEMPTS'],
});
