import * as z from 'zod';
import { endpoint, listQuery, page } from './endpoint.ts';
import {
  email,
  missingOr,
  moment,
  newPassword,
  optionalText,
  requiredText,
  STORABLE,
  userId,
} from './fields.ts';

/** A platform account: a row of `auth_users`. */
export const account = z
  .object({
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
    status: z.enum(['active', 'suspended']),
    created_at: moment,
    last_sign_in_at: moment.nullable(),
  })
  .meta({ id: 'Account' });
export type Account = z.output<typeof account>;

export const transferKinds = [
  'sale',
  'renewal',
  'transfer',
  'take_back',
  'mint',
  'adjustment',
  'redeem',
  'topup',
  'refund',
] as const;
export type TransferKind = (typeof transferKinds)[number];

/** One movement of credits between two accounts; never changed once written. */
export const transfer = z
  .object({
    id: z.string(),
    kind: z.enum(transferKinds),
    from_id: z.string(),
    to_id: z.string(),
    amount: z.number().int(),
    actor_id: z.string().nullable(),
    note: z.string().nullable(),
    line_id: z.string().nullable(),
    username: z.string().nullable(),
    /** The sale or renewal that this refund gives back. */
    refund_of: z.string().nullable(),
    created_at: moment,
  })
  .meta({ id: 'Transfer' });
export type Transfer = z.output<typeof transfer>;

const sellers = ['add_credits', 'manage_resellers'] as const;
const MAX_CREDITS = 1_000_000_000;
const params = z.object({ id: userId });

const amount = z
  .int(missingOr('CREDITS_NOT_POSITIVE', 'CREDITS_NOT_POSITIVE'))
  .min(1, { error: 'CREDITS_NOT_POSITIVE' })
  .max(MAX_CREDITS, { error: 'INVALID_VALUE' });

const balance = z
  .int({ error: 'INVALID_VALUE' })
  .min(0, { error: 'CREDITS_NEGATIVE' })
  .max(MAX_CREDITS, { error: 'INVALID_VALUE' });

export const transferNote = optionalText(500);

export const listAccounts = endpoint({
  name: 'listAccounts',
  method: 'GET',
  path: '/api/accounts',
  summary: 'Accounts of the own subtree; all of them with manage_resellers',
  access: sellers,
  query: listQuery(['created_at', 'email', 'credits'], '-created_at', {
    group_id: z.string().max(40).regex(STORABLE).optional(),
    status: z.enum(['active', 'suspended']).optional(),
    owner_id: userId.optional(),
  }),
  output: page(account),
});

export const getAccount = endpoint({
  name: 'getAccount',
  method: 'GET',
  path: '/api/accounts/{id}',
  summary: 'One account',
  access: sellers,
  params,
  output: account,
  errors: ['USER_NOT_FOUND'],
});

export const createAccount = endpoint({
  name: 'createAccount',
  method: 'POST',
  path: '/api/accounts',
  summary: 'Make an account below the own one',
  access: sellers,
  body: z.object({
    email,
    password: newPassword,
    full_name: optionalText(),
    username: optionalText(),
    group_id: z
      .string({ error: 'GROUP_NOT_FOUND' })
      .max(40, { error: 'GROUP_NOT_FOUND' })
      .regex(STORABLE, { error: 'GROUP_NOT_FOUND' })
      .optional(),
    notes: optionalText(5000),
    credits: balance.default(0),
  }),
  status: 201,
  output: z.object({ account }),
  needsIdempotencyKey: true,
  errors: [
    'EMAIL_EXISTS',
    'GROUP_NOT_FOUND',
    'INSUFFICIENT_CREDITS',
    'ADMIN_ONLY_FIELD',
    'PASSWORD_TOO_COMMON',
  ],
});

export const addCredits = endpoint({
  name: 'addCredits',
  method: 'POST',
  path: '/api/accounts/{id}/credits',
  summary: 'Add credits: an administrator mints, anyone else gives from the own balance',
  access: sellers,
  params,
  body: z.object({ amount, note: transferNote }),
  output: z.object({ account, transfer }),
  needsIdempotencyKey: true,
  errors: ['USER_NOT_FOUND', 'INVALID_USER_ID', 'CREDITS_NOT_POSITIVE', 'INSUFFICIENT_CREDITS'],
});

export const takeBackCredits = endpoint({
  name: 'takeBackCredits',
  method: 'POST',
  path: '/api/accounts/{id}/credits/take-back',
  summary: 'Take back what is unspent there: to the own balance, for an administrator out of use',
  access: sellers,
  params,
  body: z.object({ amount, note: transferNote }),
  output: z.object({ account, transfer }),
  needsIdempotencyKey: true,
  errors: ['USER_NOT_FOUND', 'INVALID_USER_ID', 'CREDITS_NOT_POSITIVE', 'INSUFFICIENT_CREDITS'],
});

export const setCredits = endpoint({
  name: 'setCredits',
  method: 'PUT',
  path: '/api/accounts/{id}/credits',
  summary: 'Set a balance, with a reason; written as the signed difference, none where it is right',
  access: 'admin',
  params,
  body: z.object({ credits: balance, note: requiredText('REQUIRED', 500) }),
  output: z.object({ account, transfer: transfer.nullable() }),
  needsIdempotencyKey: true,
  errors: ['USER_NOT_FOUND', 'CREDITS_NEGATIVE'],
});

export const listPrices = endpoint({
  name: 'listPrices',
  method: 'GET',
  path: '/api/credits/prices',
  summary: 'Credits by subscription months',
  access: 'account',
  output: z.array(z.object({ months: z.number().int(), cost: z.number().int() })),
});
