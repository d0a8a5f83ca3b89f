import * as z from 'zod';
import { endpoint, entity, page } from '../endpoint.ts';
import { moment } from '../fields/fields.ts';
import { optionalFinding } from '../findings.ts';
import { queryOf } from '../lists/list.ts';
import { presenceStates, sessionsList } from '../lists/lists.ts';
import { ofServer } from './choices.ts';

export type PresenceState = (typeof presenceStates)[number];

/** The presence of a line: online, offline or unknown, with its connections. */
export const presence = entity('Presence', {
  state: z.enum(presenceStates),
  /** Number of connections; 0 unless the line is online. */
  connections: z.number().int(),
  /** Begin of the state; null if the server never reported its sessions, or the line was never online. */
  since: moment.nullable(),
  /** The time of the present reading while online; null if the line was never online. */
  last_seen_at: moment.nullable(),
  protocol: z.string().nullable(),
});
export type Presence = z.output<typeof presence>;

export const serverPresence = entity('ServerPresence', {
  /** False if the last successful reading is more than some minutes old. */
  is_known: z.boolean(),
  /** The last successful reading; null if there was none. */
  at: moment.nullable(),
  lines_online: z.number().int(),
  connections: z.number().int(),
  card_server: z.string().nullable(),
  started_at: moment.nullable(),
  can_end_sessions: z.boolean(),
  most_online: z.array(z.number().int()),
  /** The reason why the last reading failed; `message` is its sentence. */
  finding: optionalFinding,
  message: z.string().nullable(),
});
export type ServerPresence = z.output<typeof serverPresence>;

export const session = z.object({
  protocol: z.string().nullable(),
  network: z.string().nullable(),
  since: moment.nullable(),
});
export type Session = z.output<typeof session>;

export const serverSessions = endpoint('serverSessions', 'GET /api/servers/{id}/sessions', {
  ...ofServer,
  summary: 'List the lines that are online on a card server',
  description:
    'Lists the sessions that the card server last reported, at most a minute ago while it can be read.',
  query: queryOf(sessionsList),
  output: page(
    z.object({
      line_id: z.string(),
      username: z.string(),
      connections: z.number().int(),
      sessions: z.array(session),
      since: moment.nullable(),
      /** Requests within the hour. */
      requests_ok: z.number().int(),
      requests_refused: z.number().int(),
    }),
  ),
});
export type OnlineLine = z.output<typeof serverSessions.output>['items'][number];
