import * as z from 'zod';
import { creation, endpoint, entity, ofRecord } from '../endpoint.ts';
import { id, invalid, moment, requiredText } from '../fields/fields.ts';
import { port } from '../fields/receiver-fields.ts';
import { findingReply } from '../findings.ts';
import { serverProtocols } from './choices.ts';
import { agentReport, awaitedServerBody, server } from './servers.ts';

/** Minutes for which the key in the command that installs an agent works. */
export const AGENT_KEY_MINUTES = 30;

export const AGENT_SCRIPT_PATH = '/agent.sh';

/** The agent's first call, and the panel's findings when it called back. */
const calledAgent = z.object({
  at: moment,
  /** The address from which the agent called, and at which the panel calls it. */
  host: z.string(),
  api_port: z.number().int(),
  protocol: z.enum(serverProtocols),
  /** The port of the card server's protocol; null if the installation did not find it. */
  port: z.number().int().nullable(),
  agent_version: z.string(),
  is_confirmed: z.boolean(),
});

const foundAgent = z.object({
  at: moment,
  latency_ms: z.number().int().nullable(),
  ...findingReply,
  ...agentReport,
});

/** A card server whose agent has not been reached yet. */
const awaitedServer = entity('AwaitedServer', {
  id: z.string(),
  /** The server, if it is in the panel already. */
  server_id: z.string().nullable(),
  expires_at: moment,
  called: calledAgent.nullable(),
  found: foundAgent.nullable(),
});
export type AwaitedServer = z.output<typeof awaitedServer>;

const awaitedId = id('INVALID_VALUE');
const ofAwaited = ofRecord('admin', 'AWAITED_NOT_FOUND', awaitedId);

export const awaitServer = endpoint('awaitServer', 'POST /api/servers/awaited', {
  summary: 'Make the command that installs an agent',
  description:
    'Makes a command whose key works once, for 30 minutes. With `id` or `server_id`, the new key replaces the previous one. On the card server of a server that was reached before, the command updates the agent or installs it again: the server stays as it is, and only the password between the two changes.',
  access: 'admin',
  body: z.object({ id: awaitedId.optional(), server_id: id('INVALID_SERVER_ID').optional() }),
  status: 201,
  output: z.object({ awaited: awaitedServer, command: z.string() }),
  repliesWithSecret: true,
  errors: ['AWAITED_NOT_FOUND', 'SERVER_NOT_FOUND', 'PANEL_ADDRESS_INSECURE'],
});

export const getAwaitedServer = endpoint('getAwaitedServer', 'GET /api/servers/awaited/{id}', {
  ...ofAwaited,
  summary: 'Get a card server whose agent is awaited',
  description:
    'Returns what is known of the agent so far: its first call, and what the panel found when it called back.',
  output: awaitedServer,
});

export const testAwaitedServer = endpoint(
  'testAwaitedServer',
  'POST /api/servers/awaited/{id}/test',
  {
    ...ofAwaited,
    summary: 'Call an awaited agent back',
    description: 'Calls the agent back and returns what the panel found.',
    output: awaitedServer,
    errors: ['AGENT_NOT_CALLED'],
  },
);

export const confirmAwaitedServer = endpoint(
  'confirmAwaitedServer',
  'POST /api/servers/awaited/{id}/confirm',
  {
    ...ofAwaited,
    summary: 'Confirm the address of an awaited agent',
    description:
      'Confirms the address and has the panel call the agent back. Until then, the server stays inactive and no line is sent there, because anyone with the key can call. An address of the server’s `public_host` needs no confirmation.',
    body: z.object({ host: requiredText(253) }),
    output: awaitedServer,
    errors: ['AGENT_NOT_CALLED'],
  },
);

export const addAwaitedServer = endpoint(
  'addAwaitedServer',
  'POST /api/servers/awaited/{id}/server',
  {
    ...ofAwaited,
    ...creation,
    summary: 'Add a card server whose agent is awaited',
    description:
      "Adds a server with the address, name and password from the agent's call, once that address is confirmed. Before that, the server is added without them: it is inactive, and the confirmed call completes it.",
    body: awaitedServerBody,
    output: z.object({ server }),
    missingFieldsCode: 'MISSING_REQUIRED_FIELDS',
    errors: ['AWAITED_ADDED', 'CCCAM_PORT_RANGE', 'INVALID_HOST'],
  },
);

const agentKey = requiredText(40);

export const callAwaitedServer = endpoint('callAwaitedServer', 'POST /api/servers/awaited/call', {
  summary: 'Report an agent for the first time',
  description:
    'Uses up the key, and returns the name and the password that the agent keeps. The command that installs an agent makes this call. Until the panel has reached the agent, the same address may call again, after an installation that failed. Administrators get a notice of the address.',
  access: 'public',
  body: z.object({
    key: agentKey,
    api_port: port,
    protocol: z.enum(serverProtocols, invalid).default('CCcam'),
    port: port.nullable().default(null),
    agent_version: requiredText(40),
  }),
  output: z.object({
    username: z.string(),
    password: z.string(),
    /** The panel's time zone, so that both end a day at the same moment. */
    zone: z.string(),
    /** The address from which the agent called. */
    host: z.string(),
  }),
  repliesWithSecret: true,
  errors: ['AGENT_KEY_UNKNOWN', 'AGENT_KEY_USED', 'AGENT_KEY_ENDED'],
});

export const readyAwaitedServer = endpoint(
  'readyAwaitedServer',
  'POST /api/servers/awaited/ready',
  {
    summary: 'Have the panel call a new agent back',
    description:
      'Has the panel call the agent back. The command that installs an agent makes this call after the first one.',
    access: 'public',
    body: z.object({ key: agentKey }),
    output: z.object({
      reached: z.boolean(),
      is_confirmed: z.boolean(),
      /** The address from which the agent called. */
      host: z.string(),
      ...findingReply,
    }),
    errors: ['AGENT_KEY_UNKNOWN', 'AGENT_KEY_ENDED', 'AGENT_NOT_CALLED'],
  },
);
