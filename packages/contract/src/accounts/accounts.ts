import * as z from 'zod';
import { creation, endpoint, entity, ofRecord } from '../endpoint.ts';
import {
  arrayOf,
  creditsAbove0,
  email,
  groupIdOr,
  id,
  MAX_CREDITS,
  missingOr,
  moment,
  newPassword,
  optionalText,
  planId,
  requiredText,
  userId,
} from '../fields/fields.ts';
import { optionalName } from '../fields/names.ts';
import { csvOf, listOf } from '../lists/list.ts';
import { accountStatuses, accountsList, transferKinds } from '../lists/lists.ts';

/** Actions on an account, in the order of the menu. */
export const accountActs = [
  'addCredits',
  'takeBack',
  'setCredits',
  'edit',
  'resetLink',
  'move',
  'twoFactorOff',
  'ban',
  'unban',
] as const;
export type AccountAct = (typeof accountActs)[number];

/** A platform account: a row of `auth_users`. */
export const account = entity('Account', {
  id: z.string(),
  email: z.string(),
  username: z.string(),
  full_name: z.string(),
  notes: z.string().nullable(),
  credits: z.number().int(),
  group_id: z.string(),
  is_admin: z.boolean(),
  owner_id: z.string().nullable(),
  banned: z.boolean(),
  status: z.enum(accountStatuses),
  created_at: moment,
  last_sign_in_at: moment.nullable(),
  line_count: z.number().int(),
  subtree_count: z.number().int(),
  price_list_id: z.string().nullable(),
  may: z.array(z.enum(accountActs)),
});
export type Account = z.output<typeof account>;

export type TransferKind = (typeof transferKinds)[number];

/** System accounts without a stored balance: issued credits come from ISSUANCE, and spent credits go to SALES. */
export const ISSUANCE = '00000000-0000-4000-8000-000000000001';
export const SALES = '00000000-0000-4000-8000-000000000002';

/** One movement of credits between two accounts; never changed once written. */
export const transfer = entity('Transfer', {
  id: z.string(),
  kind: z.enum(transferKinds),
  from_id: z.string(),
  to_id: z.string(),
  amount: z.number().int(),
  actor_id: z.string().nullable(),
  note: z.string().nullable(),
  line_id: z.string().nullable(),
  username: z.string().nullable(),
  refund_of: z.string().nullable(),
  created_at: moment,
});
export type Transfer = z.output<typeof transfer>;

/** Permissions to change accounts below your own; one of them suffices. */
export const sellers = ['add_credits', 'manage_resellers'] as const;
const viewers = [...sellers, 'view_resellers'] as const;
/** Options that calls about one account share. */
export const ofAccount = ofRecord(sellers, 'USER_NOT_FOUND', userId);
const ofVisibleAccount = { ...ofAccount, access: viewers } as const;

const balance = z
  .number(missingOr('REQUIRED', 'NOT_A_WHOLE_NUMBER'))
  .max(MAX_CREDITS, { error: 'NUMBER_TOO_LARGE' })
  .int({ error: 'NOT_A_WHOLE_NUMBER' })
  .min(0, { error: 'CREDITS_NEGATIVE' });

export const transferNote = optionalText(500);

export const listAccounts = endpoint('listAccounts', 'GET /api/accounts', {
  summary: 'List accounts',
  description:
    'Lists the accounts of your own subtree. With `view_resellers` or `manage_resellers` it lists all accounts.',
  access: viewers,
  ...listOf(accountsList, account),
});

export const accountsCsv = endpoint('accountsCsv', 'GET /api/accounts/csv', {
  summary: 'Download the filtered list of accounts as CSV',
  description: 'Downloads the accounts that `listAccounts` lists, without pages.',
  access: viewers,
  ...csvOf(accountsList),
});

export const getAccount = endpoint('getAccount', 'GET /api/accounts/{id}', {
  ...ofVisibleAccount,
  summary: 'Get an account',
  description: 'Returns the account with its balance, group and number of lines.',
  output: account,
});

export const accountFigures = endpoint('accountFigures', 'GET /api/accounts/{id}/figures', {
  ...ofVisibleAccount,
  summary: 'Get the figures of an account',
  description: 'Returns credits in and out, sales by month, and totals of all accounts below it.',
  output: z.object({
    credits_in: z.number().int(),
    credits_out: z.number().int(),
    credits_in_lately: z.number().int(),
    credits_out_lately: z.number().int(),
    /** Sums of the account's transfers by kind; kinds that never occurred are missing. */
    by_kind: arrayOf({
      kind: z.enum(transferKinds),
      credits_in: z.number().int(),
      credits_out: z.number().int(),
    }),
    from_above: z.number().int(),
    transfer_count: z.number().int(),
    changed_at: moment.nullable(),
    /** Sums over all accounts below the account, without its own lines and credits. */
    lines_below: z.number().int(),
    credits_below: z.number().int(),
    sold: z.array(z.object({ month: z.string(), lines: z.number().int() })),
  }),
});
export type AccountFigures = z.output<typeof accountFigures.output>;

export const createAccount = endpoint('createAccount', 'POST /api/accounts', {
  ...creation,
  summary: 'Create an account below your own',
  description: 'Creates the account. Without a password, its owner first sets one by a reset link.',
  access: sellers,
  body: z.object({
    email,
    /** The first password. Without it, the account sets one by a link, see `createResetLink`. */
    password: newPassword.optional(),
    full_name: optionalName,
    username: optionalName,
    group_id: groupIdOr('GROUP_NOT_FOUND').optional(),
    notes: optionalText(5000),
    credits: balance.default(0),
  }),
  output: z.object({ account }),
  errors: [
    'EMAIL_EXISTS',
    'LIMIT_OF_ACCOUNTS',
    'GROUP_NOT_FOUND',
    'INSUFFICIENT_CREDITS',
    'ADMIN_ONLY_FIELD',
    'PASSWORD_TOO_COMMON',
    'PERMISSION_NOT_OWN',
    'DAILY_LIMIT_REACHED',
  ],
});

export const editAccount = endpoint('editAccount', 'PATCH /api/accounts/{id}', {
  ...ofAccount,
  summary: 'Change an account',
  description:
    'Changes an account below your own, or any account with `manage_resellers`. A new owner gets the whole subtree.',
  body: z.object({
    full_name: optionalName,
    /** Notes about the account; null removes them. */
    notes: optionalText(5000).nullable(),
    group_id: groupIdOr('GROUP_NOT_FOUND').optional(),
    owner_id: userId.nullable().optional(),
    price_list_id: id('INVALID_VALUE').nullable().optional(),
  }),
  output: z.object({ account }),
  errors: [
    'PRICE_LIST_NOT_FOUND',
    'ABOVE_ONLY_FIELD',
    'LIMIT_OF_LINES',
    'LIMIT_OF_ACCOUNTS',
    'INVALID_USER_ID',
    'ACCOUNT_CIRCLE',
    'GROUP_NOT_FOUND',
    'ADMIN_ONLY_FIELD',
    'PERMISSION_NOT_OWN',
    'OWN_GROUP',
    'LAST_ADMIN',
  ],
});

export const createResetLink = endpoint('createResetLink', 'POST /api/accounts/{id}/reset-link', {
  ...ofAccount,
  summary: 'Create a link to reset the password of an account',
  description:
    'Creates a link that works once and replaces the previous one. It lasts an hour, or seven days if the account has no password yet.',
  needsSession: true,
  output: z.object({ url: z.string(), expires_at: moment }),
  repliesWithSecret: true,
  errors: ['ACCOUNT_BANNED'],
});

const ofTransfer = {
  ...ofAccount,
  body: z.object({ amount: creditsAbove0, note: transferNote }),
  output: z.object({ account, transfer }),
  needsIdempotencyKey: true,
} as const;

export const addCredits = endpoint('addCredits', 'POST /api/accounts/{id}/credits', {
  ...ofTransfer,
  summary: 'Add credits to an account',
  description:
    'Adds credits. Administrators issue new ones. Other accounts transfer them from their own balance.',
  errors: ['INVALID_USER_ID', 'CREDITS_NOT_POSITIVE', 'INSUFFICIENT_CREDITS'],
});

export const takeBackCredits = endpoint(
  'takeBackCredits',
  'POST /api/accounts/{id}/credits/take-back',
  {
    ...ofTransfer,
    summary: 'Take back unspent credits',
    description:
      'Moves the credits to your own balance. You can take back at most the unspent credits that came from you or from accounts above you. Administrators can take back any credits, which are then withdrawn.',
    errors: ['INVALID_USER_ID', 'CREDITS_NOT_POSITIVE', 'INSUFFICIENT_CREDITS', 'NOT_FROM_ABOVE'],
  },
);

export const setCredits = endpoint('setCredits', 'PUT /api/accounts/{id}/credits', {
  ...ofAccount,
  summary: 'Set the balance of an account',
  description:
    'Records the difference as a transfer, which needs a note. If the balance is already right, there is none.',
  access: 'admin',
  body: z.object({ credits: balance, note: requiredText(500) }),
  output: z.object({ account, transfer: transfer.nullable() }),
  needsIdempotencyKey: true,
  errors: ['CREDITS_NEGATIVE'],
});

export const listPrices = endpoint('listPrices', 'GET /api/credits/prices', {
  summary: 'List the prices',
  description:
    'Lists the durations on sale with what they cost you, or an account below you, in credits. `from` is the price list that decides it, if you may change that list.',
  access: 'account',
  query: z.object({ account_id: userId.optional(), plan_id: planId.optional() }),
  output: z.array(
    z.object({
      plan_id: z.string(),
      months: z.number().int(),
      cost: z.number().int(),
      from: z.object({ id: z.string(), name: z.string() }).nullable(),
    }),
  ),
  errors: ['USER_NOT_FOUND'],
});
