import * as z from 'zod';
import { creation, endpoint, entity, ofRecord } from '../endpoint.ts';
import { exactText, moment, planId, serverId, userId, yesOrNo } from '../fields/fields.ts';
import { linePassword, lineUsername, nameProblems } from '../fields/line-credentials.ts';
import { storedCustomer, storedLineDetails } from '../fields/line-details.ts';
import {
  type Duration,
  descriptiveFields,
  duration,
  isMonthsOrDate,
  mayShorten,
  quotedCost,
  statusItem,
  statusNotSuspended,
} from '../fields/line-fields.ts';
import { requiredName } from '../fields/names.ts';
import { givenPayment, linePayment } from '../fields/payment.ts';
import { optionalFinding, syncReply } from '../findings.ts';
import { csvOf, filterBodyOf, listOf } from '../lists/list.ts';
import { linesList, syncStates } from '../lists/lists.ts';
import { serverProtocols, storedPorts } from '../servers/choices.ts';
import { presence } from '../servers/presence.ts';

export type SyncState = (typeof syncStates)[number];

/** The suspension, which keeps a line off its server until it is resumed. */
export const suspension = z.object({
  at: moment,
  reason: z.string().nullable(),
  /** Email of the account; null if the reader may not see it, or if it is unknown. */
  by: z.string().nullable(),
  /** False if an account above the reader suspended it. */
  can_resume: z.boolean(),
  /** The moment at which the line resumes automatically; null if a person must resume it. */
  until: moment.nullable(),
  /** The reason for an automatic suspension; null if a person suspended the line. */
  cause: z.enum(['sharing']).nullable(),
});

/** A subscription account on a card server: a row of the table `users`. */
export const line = entity('Line', {
  id: z.string(),
  username: z.string(),
  password: z.null(),
  protocol: z.string(),
  host_port: z.array(z.string()),
  added_date: z.string(),
  expiry_date: z.string(),
  status: z.array(statusItem),
  ...storedLineDetails,
  customer: storedCustomer,
  /** The payment in the owner's bookkeeping; null for everybody else, and without an entry. */
  payment: linePayment.nullable(),
  owner_id: z.string(),
  owner_email: z.string(),
  owner_name: z.string(),
  /** The first of the servers on which the line is. */
  server_id: z.string(),
  servers: z.array(
    z.object({
      server_id: z.string(),
      sync_state: z.enum(syncStates),
      sync_message: z.string().nullable(),
      sync_finding: optionalFinding,
    }),
  ),
  plan_id: z.string(),
  is_trial: z.boolean(),
  subscription_months: z.number().int().nullable(),
  created_at: moment,
  updated_at: moment,
  /** The worst state of the line's servers. */
  sync_state: z.enum(syncStates),
  sync_message: z.string().nullable(),
  sync_finding: optionalFinding,
  on_server: z.boolean(),
  server_away_since: moment.nullable(),
  taken: z.enum(['taken', 'waiting', 'unknown']).nullable(),
  suspension: suspension.nullable(),
  sharing_exempt: z.boolean(),
  auto_renew_months: z.number().int().nullable(),
  name_problem: z.enum(nameProblems).nullable(),
  presence,
  /** The customer's page; null if the line has none. */
  page: z
    .object({
      made_at: moment,
      opened_at: moment.nullable(),
      asked_at: moment.nullable(),
    })
    .nullable(),
});
export type Line = z.output<typeof line>;

export const changedLine = z.object({
  line,
  cost: z.number().int(),
  credits: z.number().int(),
  ...syncReply,
  /** The job with which a sale, a renewal or a move to another server can be undone; null if there is none. */
  job_id: z.string().nullable(),
});
export type ChangedLine = z.output<typeof changedLine>;

/** A trial has no term; any other line needs exactly one of months and date. */
function isOneDuration(sale: Duration & { is_trial: boolean }): boolean {
  const { is_trial, subscription_months, expiry_date } = sale;
  return is_trial
    ? subscription_months === undefined
    : subscription_months !== undefined || expiry_date !== undefined;
}

export const newLine = z
  .object({
    username: lineUsername,
    password: linePassword,
    // The protocol; by default the server's own, in lower case.
    protocol: requiredName(32, 'INVALID_VALUE').optional(),
    /** The id of the plan; by default Standard. */
    plan_id: planId.optional(),
    server_id: serverId.optional(),
    is_trial: yesOrNo.default(false),
    ...duration,
    owner_id: userId.optional(),
    ...descriptiveFields,
    status: statusNotSuspended.optional(),
  })
  .refine(isOneDuration, { path: ['subscription_months'], error: 'TRIAL_OR_SUBSCRIPTION' });
export type NewLine = z.output<typeof newLine>;

/** A row for an existing line: the fields of a new line, only the username of which is required. */
export const namedLine = z.object({ ...newLine.shape, password: linePassword.optional() });
export type NamedLine = z.output<typeof namedLine>;

/** The filters of the list of lines, for the body of a call about all matching lines. */
export const lineFilter = filterBodyOf(linesList);
export type LineFilters = z.output<typeof lineFilter>;

export const listLines = endpoint('listLines', 'GET /api/lines', {
  databaseErrorCode: 'FAILED_TO_LOAD_USER_DATA',
  summary: 'List lines',
  description:
    'Lists the lines of your own subtree, newest first. With `manage_users` it lists every line. `with_below=false` leaves out the lines of accounts below, as the page does.',
  access: ['view_users'],
  ...listOf(linesList, line),
});

const countedLines = z.object({ with_below: linesList.filters.below.query.optional() });

export const countLines = endpoint('countLines', 'GET /api/lines/counts', {
  summary: 'Count lines in each view of the list',
  description: 'Counts lines for each view of the list. Each count stops at 10,000.',
  access: ['view_users'],
  query: countedLines,
  output: z.object({
    all: z.number().int(),
    active: z.number().int(),
    expiring: z.number().int(),
    expired: z.number().int(),
    trials: z.number().int(),
    /** Lines whose push failed; pending ones are not counted because they need no attention. */
    not_synced: z.number().int(),
    long_names: z.number().int(),
    online: z.number().int(),
    never_connected: z.number().int(),
    /** True if accounts below have lines, whether or not the counts include them; false with `manage_users`. */
    has_below: z.boolean(),
  }),
});

const figures = z.record(z.string(), z.number().int());

export const countLineChoices = endpoint('countLineChoices', 'GET /api/lines/counts/choices', {
  summary: 'Count lines by the values of each filter',
  description:
    'Counts lines for each value of each filter. Other filters are ignored. Each count stops at 10,000.',
  access: ['view_users'],
  query: countedLines,
  output: z.object({
    status: figures,
    server_id: figures,
    plan_id: figures,
    sync_state: figures,
    is_trial: figures,
    has_long_name: figures,
    presence: figures,
  }),
});

export const linesCsv = endpoint('linesCsv', 'GET /api/lines/csv', {
  summary: 'Download the filtered list of lines as CSV',
  description: 'Downloads every field except the password.',
  access: ['view_users'],
  ...csvOf(linesList),
});

export const createLine = endpoint('createLine', 'POST /api/lines', {
  ...creation,
  databaseErrorCode: 'CREDITS_NOT_DEDUCTED',
  summary: 'Sell a line',
  description:
    'Debits the credits, stores the line and queues its delivery in one transaction. Then the panel tries to deliver it for at most 2 s; `sync` in the response says whether it succeeded. If the card server already has an account of the operator’s own with that username, the sale stays: the line is not delivered, and can be renamed, deleted, or undone in full.',
  access: ['view_users'],
  body: newLine.safeExtend({ quoted_cost: quotedCost, payment: givenPayment }),
  output: changedLine,
  errors: [
    'QUOTE_CHANGED',
    'LIMIT_OF_LINES',
    'LIMIT_OF_TRIALS',
    'ACCOUNT_ENDED',
    'USERNAME_AND_PASSWORD_REQUIRED',
    'USERNAME_EXISTS',
    'NAME_TOO_LONG_FOR_CCCAM',
    'NAME_SHARES_FIRST_20',
    'NO_ACTIVE_SERVERS',
    'NO_SERVER_TAKES_LINES',
    'SERVER_CLOSED',
    'SERVER_FULL',
    'SERVER_NOT_FOUND',
    'SERVER_NOT_OF_PLAN',
    'PLAN_NOT_FOUND',
    'PLAN_NOT_OFFERED',
    'USER_NOT_FOUND',
    'INSUFFICIENT_CREDITS',
    'TRIAL_LIMIT_REACHED',
    'TRIAL_DAILY_LIMIT_REACHED',
    'TRIAL_OF_NAME',
    'INVALID_SUBSCRIPTION_MONTHS',
    'ADMIN_ONLY_FIELD',
    'OWNER_ONLY',
  ],
});

/** Options that calls about one line share. */
export const ofLine = ofRecord(['view_users'], 'LINE_NOT_FOUND', userId);

export const getLine = endpoint('getLine', 'GET /api/lines/{id}', {
  ...ofLine,
  summary: 'Get a line',
  description: 'Returns the line without its password, which `revealLine` returns.',
  output: line,
});

export const quoteLine = endpoint('quoteLine', 'POST /api/lines/quote', {
  databaseErrorCode: 'CREDITS_NOT_VERIFIED',
  summary: 'Preview the price and expiry of a sale or renewal',
  description: 'Calculates the price and the new expiry. Stores nothing.',
  access: ['view_users'],
  body: z.discriminatedUnion('action', [
    z
      .object({
        action: z.literal('create'),
        /** The username. If it is given, its length is checked. */
        username: lineUsername.optional(),
        /** The server; by default the one that a sale would choose. */
        server_id: serverId.optional(),
        plan_id: planId.optional(),
        is_trial: z.boolean().default(false),
        ...duration,
      })
      .refine(isOneDuration, { path: ['subscription_months'], error: 'TRIAL_OR_SUBSCRIPTION' }),
    z
      .object({
        action: z.literal('renew'),
        line_id: userId,
        ...duration,
        may_shorten: mayShorten,
      })
      .refine(isMonthsOrDate, { path: ['subscription_months'], error: 'MONTHS_OR_DATE' }),
    z.object({
      action: z.literal('change_plan'),
      line_id: userId,
      plan_id: planId,
      server_id: serverId.optional(),
    }),
  ]),
  output: z.object({
    /** Cost in credits; below 0 for a refund. */
    cost: z.number().int(),
    balance: z.number().int(),
    balance_after: z.number().int(),
    expiry_date: z.string(),
    trials_left: z.number().int().nullable(),
  }),
  errors: [
    'LINE_NOT_FOUND',
    'INVALID_SUBSCRIPTION_MONTHS',
    'ADMIN_ONLY_FIELD',
    'NAME_TOO_LONG_FOR_CCCAM',
    'SERVER_NOT_FOUND',
    'SERVER_NOT_OF_PLAN',
    'PLAN_NOT_FOUND',
    'PLAN_NOT_OFFERED',
    'WOULD_SHORTEN',
  ],
});

export const syncLine = endpoint('syncLine', 'POST /api/lines/{id}/sync', {
  ...ofLine,
  summary: 'Deliver a line to its server now',
  description:
    'Delivers the line even if no change is pending, because its server may have lost it. `sync` in the response says whether it succeeded.',
  output: z.object(syncReply),
});

export const revealLine = endpoint('revealLine', 'POST /api/lines/{id}/reveal', {
  ...ofLine,
  summary: 'Get the password of a line',
  description:
    "Returns the password in plain text, and the link of the customer's page. The audit log records each call.",
  output: z.object({
    password: z.string(),
    page: z.string().nullable(),
  }),
  repliesWithSecret: true,
});

/** The settings of a receiver for one of a line's servers, except username and password. */
const enteredServer = z.object({
  id: z.string(),
  server_name: z.string(),
  /** The address for customers, used by lines without their own. */
  host_port: z.string(),
  protocol: z.enum(serverProtocols),
  des_key: z.string().nullable(),
  newcamd_ports: storedPorts,
});

export const lineServer = endpoint('lineServer', 'GET /api/lines/{id}/server', {
  ...ofLine,
  summary: 'Get the server details for the customer of a line',
  description:
    'Returns everything that the customer enters except username and password, and the texts in which its owner writes to customers.',
  output: enteredServer.extend({
    servers: z.array(enteredServer),
    plan: z.string(),
    language: z.string().nullable(),
    texts: z.record(z.string(), z.record(z.string(), z.string())),
  }),
});

/** The maximum number of usernames in one look-up. */
export const MAX_LOOKED_UP = 100;

export const lookUpLines = endpoint('lookUpLines', 'POST /api/lines/look-up', {
  summary: 'Find lines by their exact usernames',
  description: 'Finds the lines that you can see. Usernames that no line has are left out.',
  access: ['view_users'],
  body: z.object({
    usernames: z.array(exactText(255)).max(MAX_LOOKED_UP, { error: 'TOO_MANY_VALUES' }),
  }),
  output: z.object({ items: z.array(z.object({ id: z.string(), username: z.string() })) }),
});

/** Minutes after a renewal of a line during which another one is probably a mistake, so that the panel asks first. */
export const RECENT_MINUTES = 10;

export const lineState = endpoint('lineState', 'GET /api/lines/{id}/state', {
  ...ofLine,
  summary: 'Get when a line was delivered and renewed',
  description:
    'Returns when the line was last delivered, since when a change is pending, when its password was last changed, and who renewed it in the last 10 minutes.',
  output: z.object({
    delivered_at: moment.nullable(),
    pending_since: moment.nullable(),
    next_try_at: moment.nullable(),
    password_set_at: moment.nullable(),
    renewal: z
      .object({
        at: moment,
        /** The account that renewed the line; null if the reader may not see it. */
        by: z.string().nullable(),
        is_own: z.boolean(),
      })
      .nullable(),
  }),
});

export const lineReceivers = endpoint('lineReceivers', 'GET /api/lines/{id}/receivers', {
  ...ofLine,
  summary: 'Get what the customer of a line enters',
  description:
    'Returns everything that the customer enters, with the password in plain text. The audit log records each call.',
  output: z.object({
    cccam: z.string().nullable(),
    newcamd: z.array(z.string()),
    oscam: z.string(),
    servers: z.array(
      z.object({
        server_id: z.string(),
        server_name: z.string(),
        cccam: z.string().nullable(),
        newcamd: z.array(z.string()),
        oscam: z.string(),
      }),
    ),
  }),
  repliesWithSecret: true,
});
