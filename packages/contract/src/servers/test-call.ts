import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { exactText, invalid, serverId } from '../fields/fields.ts';
import { findingReply } from '../findings.ts';
import { unsavedServer } from './servers.ts';

/** The calls of a card server's API. */
export const serverCalls = ['health', 'auth', 'add', 'edit', 'delete'] as const;
export type ServerCall = (typeof serverCalls)[number];

/** An argument of a call. The schema does not require it, because the test call reports all missing ones together. */
const argument = exactText(200).optional();

const sentRequest = z.object({
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.record(z.string(), z.string()).nullable(),
});

const receivedReply = z.object({
  status: z.number().int(),
  /** Plain text of at most 200 characters; no other part of the response is ever shown. */
  message: z.string().nullable(),
  version: z.string().nullable(),
});

export const testCall = endpoint('testCall', 'POST /api/servers/test-call', {
  summary: 'Make one call to a card server and show its response',
  description: 'Makes the call to `server_id`, or by default to the newest active server.',
  access: 'admin',
  body: z.object({
    server_id: serverId.optional(),
    configuration: unsavedServer.optional(),
    call: z.enum(serverCalls, invalid),
    arguments: z
      .object({ username: argument, password: argument, expiry_date: argument })
      .default({}),
  }),
  output: z.object({
    ok: z.boolean(),
    /** The request without secrets; null if the configuration is incomplete. */
    request: sentRequest.nullable(),
    reply: receivedReply.nullable(),
    ms: z.number().int().nullable(),
    ...findingReply,
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
