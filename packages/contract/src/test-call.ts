import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { STORABLE, serverId } from './fields.ts';
import { unsavedServer } from './servers.ts';

/** The calls that a card server's API takes. */
export const serverCalls = ['health', 'auth', 'add', 'edit', 'delete'] as const;
export type ServerCall = (typeof serverCalls)[number];

/** As typed: what a call lacks is said before it is made. */
const argument = z
  .string({ error: 'INVALID_VALUE' })
  .max(200, { error: 'TOO_LONG' })
  .regex(STORABLE, { error: 'INVALID_VALUE' })
  .optional();

const sentRequest = z.object({
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.record(z.string(), z.string()).nullable(),
});

const receivedReply = z.object({
  status: z.number().int(),
  /** Plain text of at most 200 characters; nothing else of a reply is shown. */
  message: z.string().nullable(),
  version: z.string().nullable(),
});

export const testCall = endpoint({
  name: 'testCall',
  method: 'POST',
  path: '/api/servers/test-call',
  summary: 'Make one call to a card server and see what it says; the newest active one unless said',
  access: 'admin',
  body: z.object({
    server_id: serverId.optional(),
    configuration: unsavedServer.optional(),
    call: z.enum(serverCalls, { error: 'INVALID_VALUE' }),
    arguments: z
      .object({ username: argument, password: argument, expiry_date: argument })
      .default({}),
  }),
  output: z.object({
    ok: z.boolean(),
    /** Without secrets; null where the configuration is incomplete. */
    request: sentRequest.nullable(),
    /** null where none came. */
    reply: receivedReply.nullable(),
    ms: z.number().int().nullable(),
    /** What went wrong, null when nothing did. */
    message: z.string().nullable(),
  }),
  errors: [
    'SERVER_NOT_FOUND',
    'NO_ACTIVE_CCCAM_SERVERS',
    'USERNAME_REQUIRED',
    'USERNAME_AND_PASSWORD_REQUIRED',
    'NOTHING_TO_UPDATE',
    'INVALID_EXPIRY_DATE',
    'CCCAM_PORT_RANGE',
  ],
});
