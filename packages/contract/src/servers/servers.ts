import * as z from 'zod';
import { creation, csvReply, done, endpoint, entity } from '../endpoint.ts';
import {
  arrayOf,
  changesOf,
  dayOr,
  flag,
  invalid,
  missingOr,
  moment,
  numberInQuery,
  requiredText,
  STORABLE,
  serverId,
  wholeNumber,
  yesOrNo,
} from '../fields/fields.ts';
import { isVisible, requiredName } from '../fields/names.ts';
import { desKey, newcamdPorts, port, portOr, publicHost } from '../fields/receiver-fields.ts';
import { findingReply, optionalFinding } from '../findings.ts';
import { listOf } from '../lists/list.ts';
import { serverStatuses, serversList } from '../lists/lists.ts';
import { ofServer, serverProtocols, storedPorts } from './choices.ts';
import { serverPresence } from './presence.ts';

export const DEFAULT_SERVER_PORT = 12000;
export const DEFAULT_API_PORT = 3000;

export type ServerStatus = (typeof serverStatuses)[number];

/** The kinds of servers by the way in which the panel reaches them: an agent's API, or OSCam's own web interface. */
export const serverKinds = ['api', 'oscam_webif'] as const;
export type ServerKind = (typeof serverKinds)[number];
/** The usual port of OSCam's web interface. */
export const DEFAULT_WEBIF_PORT = 8888;
/** Number of lines from which OSCam's web interface is too slow for a server of the kind `oscam_webif`. */
export const WEBIF_LINES = 2000;

/** The delivery of a server's changes from its agent to the card server, as the agent last reported it. */
const reload = entity('Reload', {
  /** The means by which the card server reloads its accounts; null if there is none. */
  by: z.enum(['webif', 'command']).nullable(),
  /** True if the last attempt succeeded; null before the first one. */
  ok: z.boolean().nullable(),
  at: moment.nullable(),
  ok_at: moment.nullable(),
  ...findingReply,
  /** Number of delivered changes that the card server has not loaded, and the time of the oldest. */
  waiting: z.number().int(),
  since: moment.nullable(),
  /** Lines that cannot connect until their change is loaded, and the first of their names. */
  cannot_connect: z.number().int(),
  names: z.array(z.string()),
  /** Deleted or suspended lines that can connect until their change is loaded, and the first of their names. */
  still_connect: z.number().int(),
  still_names: z.array(z.string()),
  card_server: z.string().nullable(),
  started_at: moment.nullable(),
});
export type Reload = z.output<typeof reload>;

/**
 * The way in which an agent's card server reloads accounts, and its time zone and date; null if the agent does not
 * report them.
 */
export const agentReport = {
  reload: reload.nullable(),
  zone: z.string().nullable(),
  server_day: z.string().nullable(),
  day_message: z.string().nullable(),
  day_finding: optionalFinding,
};

/** A card server; its password is write-only. */
export const server = entity('Server', {
  id: z.string(),
  server_name: z.string(),
  host_ip: z.string(),
  port: z.number().int(),
  public_host: z.string().nullable(),
  public_port: z.number().int().nullable(),
  des_key: z.string().nullable(),
  newcamd_ports: storedPorts,
  api_port: z.number().int(),
  api_scheme: z.enum(['http', 'https']),
  username: z.string(),
  protocol: z.enum(serverProtocols),
  status: z.enum(serverStatuses),
  status_message: z.string().nullable(),
  status_finding: optionalFinding,
  latency_ms: z.number().int().nullable(),
  line_count: z.number().int(),
  pushes_due: z.number().int(),
  deletions_due: z.number().int(),
  accounts_missing: z.number().int(),
  /** Lines whose change the server cannot accept because of a row of the operator's. */
  kept_by_hand: z.number().int(),
  repair_automatically: z.boolean(),
  /** True if the server accepts no new lines; its existing lines are renewed, changed and deleted as before. */
  closed_to_new_lines: z.boolean(),
  max_lines: z.number().int().nullable(),
  ...agentReport,
  same_machine: z.array(z.object({ id: z.string(), server_name: z.string() })),
  kind: z.enum(serverKinds),
  tls_fingerprint: z.string().nullable(),
  plain_http_allowed: z.boolean(),
  presence: serverPresence.nullable(),
  agent_version: z.string().nullable(),
  agent_outdated: z.boolean(),
  awaited_id: z.string().nullable(),
  user_id: z.string().nullable(),
  created_at: moment,
  last_connection: moment.nullable(),
});
export type Server = z.output<typeof server>;

/**
 * Username and password of a web interface that may work without a password. The colon is refused
 * because Basic authentication ends the username at the first one.
 */
const openUsername = z
  .string({ error: 'REQUIRED' })
  .trim()
  .max(200, { error: 'TOO_LONG' })
  .regex(STORABLE, invalid)
  .regex(/^[^:]*$/, invalid)
  .refine(isVisible, { error: 'HIDDEN_LETTERS' });
const openPassword = z
  .string({ error: 'REQUIRED' })
  .max(200, { error: 'TOO_LONG' })
  .regex(STORABLE, invalid);

/** SHA-256 of a certificate in 64 hexadecimal digits, with or without colons. */
const tlsFingerprint = z
  .string(invalid)
  .transform((text) =>
    text
      .trim()
      .replace(/^sha256 fingerprint=/i, '')
      .replaceAll(':', '')
      .toUpperCase(),
  )
  .pipe(z.string().regex(/^[0-9A-F]{64}$/, invalid))
  .transform((digits) => digits.replace(/..(?!$)/g, '$&:'));

const optionalFields = {
  api_port: port.default(DEFAULT_API_PORT),
  protocol: z.enum(serverProtocols, invalid).default('CCcam'),
  api_scheme: z.enum(['http', 'https'], invalid).default('http'),
  repair_automatically: yesOrNo.default(false),
  closed_to_new_lines: yesOrNo.default(false),
  max_lines: wholeNumber(1, 10_000_000).nullable().default(null),
  public_host: publicHost.nullable().default(null),
  public_port: port.nullable().default(null),
  des_key: desKey.nullable().default(null),
  newcamd_ports: newcamdPorts.default([]),
  kind: z.enum(serverKinds, invalid).default('api'),
  tls_fingerprint: tlsFingerprint.nullable().default(null),
  plain_http_allowed: yesOrNo.default(false),
};

/** A new server. The order of the fields is the order in which missing ones are reported. */
export const newServer = z.object({
  server_name: requiredName(),
  host_ip: requiredText(253),
  port: portOr('REQUIRED', 'CCCAM_PORT_RANGE'),
  username: openUsername.min(1, { error: 'REQUIRED' }),
  password: openPassword.min(1, { error: 'REQUIRED' }),
  ...optionalFields,
});

/** Reports a missing field together with the other problems of the body, instead of after those are fixed. */
const neededByAgents = (field: 'username' | 'password') => ({
  path: [field],
  error: 'REQUIRED',
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
});

/** The body for a new server. OSCam's web interface may work without a password, but an agent never does. */
export const newServerBody = newServer
  .extend({ username: openUsername.default(''), password: openPassword.default('') })
  .refine(
    ({ kind, username }) => kind === 'oscam_webif' || username !== '',
    neededByAgents('username'),
  )
  .refine(
    ({ kind, password }) => kind === 'oscam_webif' || password !== '',
    neededByAgents('password'),
  );

/** A new server whose agent sends the remaining fields in its first call. */
export const awaitedServerBody = z.object({
  server_name: requiredName(),
  port: portOr('REQUIRED', 'CCCAM_PORT_RANGE'),
  ...optionalFields,
  public_host: publicHost,
  host_ip: requiredText(253, 'INVALID_HOST').optional(),
  api_port: port.optional(),
});

/** The configuration of a form that is still being filled in: the test's message reports missing fields. */
export const unsavedServer = newServer
  .extend({ username: openUsername, password: openPassword })
  .partial({ server_name: true, host_ip: true, port: true, username: true, password: true });

export const serverChanges = z.object({
  server_name: requiredName(200, 'SERVER_NAME_EMPTY').optional(),
  host_ip: requiredText(253, 'INVALID_HOST').optional(),
  port: port.optional(),
  username: openUsername.optional(),
  password: openPassword.optional(),
  ...changesOf(optionalFields),
  same_machine_as: serverId.nullable().optional(),
});

const testResult = z.object({
  status: z.enum(serverStatuses),
  health: z.boolean(),
  auth: z.boolean(),
  version: z.string().nullable(),
  latency_ms: z.number().int().nullable(),
  ...findingReply,
  tls_fingerprint: z.string().nullable(),
  /** Data from OSCam's web interface; null for servers of another kind, and if it could not be reached. */
  oscam: z
    .object({
      read_only: z.boolean(),
      accounts: z.number().int(),
      own_accounts: z.number().int(),
      /**
       * Accounts with services that OSCam does not know, which are lost at any next save; the first accounts are named.
       */
      loses: z.object({
        count: z.number().int(),
        items: z.array(z.object({ username: z.string(), services: z.string() })),
      }),
    })
    .nullable(),
});
export type ServerTest = z.output<typeof testResult>;

/** The effect of a change on customers, who must change their receiver. */
const toTell = {
  to_tell: z.number().int(),
  /** The job that lists the customers; null if there is none. */
  job_id: z.string().nullable(),
};

export const listServers = endpoint('listServers', 'GET /api/servers', {
  summary: 'List card servers',
  description: 'Lists all card servers, newest first.',
  access: 'admin',
  ...listOf(serversList, server),
});

export const createServer = endpoint('createServer', 'POST /api/servers', {
  ...creation,
  summary: 'Add a card server',
  description:
    'Adds the server and tests it immediately. It is active if the test succeeds. Otherwise it stays inactive until one does.',
  access: 'admin',
  body: newServerBody,
  output: z.object({ server }),
  missingFieldsCode: 'MISSING_REQUIRED_FIELDS',
  errors: ['CCCAM_PORT_RANGE', 'INVALID_HOST'],
});

export const getServer = endpoint('getServer', 'GET /api/servers/{id}', {
  ...ofServer,
  summary: 'Get a card server',
  description: 'Returns the server without its password.',
  output: server,
});

export const editServer = endpoint('editServer', 'PATCH /api/servers/{id}', {
  ...ofServer,
  summary: 'Change a card server',
  description:
    'Changes the fields that you send. `to_tell` in the response is the number of customers who must enter something else.',
  body: serverChanges,
  output: z.object({ server, ...toTell }),
  errors: ['PORT_RANGE', 'SERVER_NAME_EMPTY', 'INVALID_HOST', 'NAMES_NOT_FOR_CCCAM'],
});

/** The server after the change: another server, or this one with the given values. */
const asItWouldBe = z.object({
  to_server_id: z.guid({ error: 'INVALID_SERVER_ID' }).optional(),
  host: publicHost.optional(),
  port: numberInQuery(1, 65_535).optional(),
  protocol: z.enum(serverProtocols, invalid).optional(),
  /** The DES key; empty for the default one. */
  des_key: z.union([z.literal(''), desKey]).optional(),
  /** The ports by CAID, as JSON. */
  newcamd_ports: z.string().max(10_000, { error: 'TOO_LONG' }).optional(),
});
const ofChange = { ...ofServer, query: asItWouldBe, errors: ['INVALID_VALUE'] } as const;

export const serverCustomers = endpoint('serverCustomers', 'GET /api/servers/{id}/customers', {
  ...ofChange,
  summary: 'Count the customers affected by a change of a server',
  description:
    "Counts the lines whose customers would have to enter something else, and their owners. Without a query, it counts the lines at the server's own address.",
  output: z.object({ lines: z.number().int(), owners: z.number().int() }),
});

export const serverCustomersCsv = endpoint(
  'serverCustomersCsv',
  'GET /api/servers/{id}/customers/csv',
  {
    ...csvReply,
    ...ofChange,
    summary: 'Download the customers affected by a change of a server',
    description: 'Downloads what each customer enters now and what they would enter.',
  },
);

export const deleteServer = endpoint('deleteServer', 'DELETE /api/servers/{id}', {
  ...ofServer,
  hasLongStatements: true,
  summary: 'Delete a card server',
  description: 'Deletes the server, which must have no lines.',
  query: z.object({ force: flag.optional() }),
  output: done,
  errors: ['SERVER_HAS_LINES', 'SERVER_IN_PLAN', 'SERVER_HAS_DELETIONS'],
});

export const moveLines = endpoint('moveLines', 'POST /api/servers/{id}/move-lines', {
  ...ofServer,
  hasLongStatements: true,
  summary: 'Move all lines of a card server to another one',
  description:
    'Moves every line, and delivers the changes to both servers in the background. `to_tell` in the response is the number of customers who must enter something else.',
  body: z.object({ to_server_id: z.guid(missingOr('SERVER_REQUIRED', 'INVALID_SERVER_ID')) }),
  output: z.object({ moved: z.number().int(), ...toTell }),
  needsIdempotencyKey: true,
  errors: [
    'NO_ACTIVE_CCCAM_SERVERS',
    'SERVER_CLOSED',
    'SERVER_FULL',
    'SERVER_NOT_OF_PLAN',
    'NAMES_NOT_FOR_CCCAM',
    'INVALID_VALUE',
  ],
});

export const testServer = endpoint('testServer', 'POST /api/servers/{id}/test', {
  ...ofServer,
  summary: 'Test the connection to a card server',
  description: "Tests the connection and sets the server's `status` and `last_connection`.",
  output: testResult,
});

export const testServerConfiguration = endpoint(
  'testServerConfiguration',
  'POST /api/servers/test',
  {
    summary: 'Test a configuration of a card server',
    description: 'Tests the connection and stores nothing.',
    access: 'admin',
    body: unsavedServer,
    output: testResult,
    errors: ['CCCAM_PORT_RANGE'],
  },
);

export const checkServers = endpoint('checkServers', 'POST /api/servers/check', {
  summary: 'Test all card servers',
  description: 'Tests all servers, at most 8 at a time.',
  access: 'admin',
  output: z.object({
    items: z.array(testResult.extend({ id: z.string(), server_name: z.string() })),
  }),
});

export const reloadServer = endpoint('reloadServer', 'POST /api/servers/{id}/reload', {
  ...ofServer,
  summary: 'Have the card server read its accounts again',
  description: 'Asks the agent to have the accounts read, and returns the result.',
  output: z.object({ applied: z.boolean(), ...findingReply, reload: reload.nullable() }),
});

export const rightsChoices = endpoint('rightsChoices', 'GET /api/servers/{id}/rights-choices', {
  ...ofServer,
  summary: 'List what a plan can name on a card server',
  description:
    "Lists the groups of OSCam's readers, each with the number of readers that are on, and the names of its services. Both are `null` if the card server does not report them.",
  output: z.object({
    groups: arrayOf({ group: z.number().int(), readers: z.number().int() }).nullable(),
    services: z.array(z.string()).nullable(),
    read_at: moment,
  }),
});

export const confirmServerDay = endpoint('confirmServerDay', 'POST /api/servers/{id}/confirm-day', {
  ...ofServer,
  summary: 'Confirm the date of a card server',
  description:
    "Confirms the agent's date. An agent whose clock jumps, or differs from the panel’s by more than a day, ends no line until then.",
  body: z.object({ day: dayOr('INVALID_VALUE') }),
  output: server,
  errors: ['DAY_NOT_CONFIRMED'],
});
