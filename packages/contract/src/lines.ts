import * as z from 'zod';
import { endpoint, listQuery, page } from './endpoint.ts';
import { day, flag, moment, requiredText, serverId, userId } from './fields.ts';
import { linePassword, lineUsername } from './line-credentials.ts';
import { descriptiveFields, isOneRenewalTerm, months, statusItem } from './line-fields.ts';

/** What stands in a line's password field until it is revealed. */
export const MASKED_PASSWORD = '••••••••';

export const syncStates = ['synced', 'pending', 'failed'] as const;
export type SyncState = (typeof syncStates)[number];

/** A subscription account on a card server: a row of the table `users`. */
export const line = z
  .object({
    id: z.string(),
    username: z.string(),
    password: z.string(),
    protocol: z.string(),
    host_port: z.array(z.string()),
    user_value: z.string().nullable(),
    added_date: z.string(),
    expiry_date: z.string(),
    live_channel: z.string(),
    info: z.string(),
    notes: z.string().nullable(),
    status: z.array(statusItem),
    name: z.string().nullable(),
    company: z.string().nullable(),
    role: z.string().nullable(),
    avatar_url: z.string().nullable(),
    email: z.string().nullable(),
    owner_id: z.string(),
    owner_email: z.string(),
    server_id: z.string(),
    is_trial: z.boolean(),
    subscription_months: z.number().int().nullable(),
    created_at: moment,
    updated_at: moment,
    sync_state: z.enum(syncStates),
    sync_message: z.string().nullable(),
  })
  .meta({ id: 'Line' });
export type Line = z.output<typeof line>;

/** Whether the card server has taken the change; `message` says why not. */
export const sync = z.object({ ok: z.boolean(), message: z.string().nullable() });
export type Sync = z.output<typeof sync>;

export const changedLine = z.object({
  line,
  cost: z.number().int(),
  credits: z.number().int(),
  sync,
});
export type ChangedLine = z.output<typeof changedLine>;

/** A trial has no months; anything else needs months or a date. */
function isOneTerm(term: {
  is_trial: boolean;
  subscription_months?: number | undefined;
  expiry_date?: string | undefined;
}): boolean {
  const { is_trial, subscription_months, expiry_date } = term;
  return is_trial
    ? subscription_months === undefined
    : subscription_months !== undefined || expiry_date !== undefined;
}

export const newLine = z
  .object({
    username: lineUsername,
    password: linePassword,
    protocol: requiredText('INVALID_VALUE', 32).default('cccam'),
    server_id: serverId.optional(),
    is_trial: z.boolean({ error: 'INVALID_VALUE' }).default(false),
    subscription_months: months.optional(),
    expiry_date: day.optional(),
    owner_id: userId.optional(),
    ...descriptiveFields,
  })
  .refine(isOneTerm, { path: ['subscription_months'], error: 'TRIAL_OR_SUBSCRIPTION' });
export type NewLine = z.output<typeof newLine>;

export const lineStatuses = ['active', 'expired', 'inactive', 'suspended'] as const;

const lineFilters = {
  status: z.enum(lineStatuses).optional(),
  server_id: serverId.optional(),
  owner_id: userId.optional(),
  is_trial: flag.optional(),
  expires_within: z.coerce.number().int().min(0).max(36_500).optional(),
  sync_state: z.enum(syncStates).optional(),
};

export const listLines = endpoint({
  name: 'listLines',
  databaseErrorCode: 'FAILED_TO_LOAD_USER_DATA',
  method: 'GET',
  path: '/api/lines',
  summary: 'Lines of the own subtree, newest first',
  access: ['view_users'],
  query: listQuery(['added_date', 'expiry_date', 'username'], '-added_date', lineFilters),
  output: page(line),
  errors: ['INVALID_CURSOR'],
});

export const countLines = endpoint({
  name: 'countLines',
  method: 'GET',
  path: '/api/lines/counts',
  summary: 'How many lines each view of the list holds; each is counted up to 10,000',
  access: ['view_users'],
  output: z.object({
    all: z.number().int(),
    active: z.number().int(),
    expiring: z.number().int(),
    expired: z.number().int(),
    trials: z.number().int(),
    /** What the filter sync_state=failed shows; what is on its way needs nobody. */
    not_synced: z.number().int(),
  }),
});

export const createLine = endpoint({
  name: 'createLine',
  databaseErrorCode: 'CREDITS_NOT_DEDUCTED',
  method: 'POST',
  path: '/api/lines',
  summary: 'Sell a line: debit, line and wanted server state in one transaction, then the push',
  access: ['view_users'],
  body: newLine,
  status: 201,
  output: changedLine,
  needsIdempotencyKey: true,
  errors: [
    'USERNAME_AND_PASSWORD_REQUIRED',
    'USERNAME_EXISTS',
    'NO_ACTIVE_SERVERS',
    'SERVER_NOT_FOUND',
    'USER_NOT_FOUND',
    'INSUFFICIENT_CREDITS',
    'TRIAL_LIMIT_REACHED',
    'INVALID_SUBSCRIPTION_MONTHS',
    'ADMIN_ONLY_FIELD',
  ],
});

export const lineId = z.object({ id: userId });

export const getLine = endpoint({
  name: 'getLine',
  method: 'GET',
  path: '/api/lines/{id}',
  summary: 'One line',
  access: ['view_users'],
  params: lineId,
  output: line,
  errors: ['LINE_NOT_FOUND'],
});

export const quoteLine = endpoint({
  name: 'quoteLine',
  databaseErrorCode: 'CREDITS_NOT_VERIFIED',
  method: 'POST',
  path: '/api/lines/quote',
  summary: 'What a sale or a renewal would cost and how long it would last; nothing is stored',
  access: ['view_users'],
  body: z
    .object({
      action: z.enum(['create', 'renew']),
      line_id: userId.optional(),
      is_trial: z.boolean().default(false),
      subscription_months: months.optional(),
      expiry_date: day.optional(),
    })
    .refine(({ action, line_id }) => action === 'create' || line_id !== undefined, {
      path: ['line_id'],
      error: 'INVALID_USER_ID',
    })
    .refine((wish) => wish.action === 'renew' || isOneTerm(wish), {
      path: ['subscription_months'],
      error: 'TRIAL_OR_SUBSCRIPTION',
    })
    .refine((wish) => wish.action === 'create' || isOneRenewalTerm(wish), {
      path: ['subscription_months'],
      error: 'MONTHS_OR_DATE',
    }),
  output: z.object({
    cost: z.number().int(),
    balance: z.number().int(),
    balance_after: z.number().int(),
    expiry_date: z.string(),
    trials_left: z.number().int().nullable(),
  }),
  errors: ['LINE_NOT_FOUND', 'INVALID_SUBSCRIPTION_MONTHS', 'ADMIN_ONLY_FIELD'],
});

export const syncLine = endpoint({
  name: 'syncLine',
  method: 'POST',
  path: '/api/lines/{id}/sync',
  summary: 'Push the line to its server now',
  access: ['view_users'],
  params: lineId,
  output: z.object({ sync }),
  errors: ['LINE_NOT_FOUND'],
});

export const revealLine = endpoint({
  name: 'revealLine',
  method: 'POST',
  path: '/api/lines/{id}/reveal',
  summary: 'The password in clear; written to the audit log',
  access: ['view_users'],
  params: lineId,
  output: z.object({ password: z.string() }),
  repliesWithSecret: true,
  errors: ['LINE_NOT_FOUND'],
});
