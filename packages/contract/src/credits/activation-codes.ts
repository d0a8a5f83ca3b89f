import * as z from 'zod';
import { creation, done, endpoint, entity, ofRecord } from '../endpoint.ts';
import { moment, optionalText, planId, requiredText, wholeNumber } from '../fields/fields.ts';
import { linePassword, lineUsername } from '../fields/line-credentials.ts';
import { months, quotedCost } from '../fields/line-fields.ts';
import { listOf } from '../lists/list.ts';
import { activationCodeStatuses, activationCodesList } from '../lists/lists.ts';

export type ActivationCodeStatus = (typeof activationCodeStatuses)[number];

/** A code with which a customer makes a line. Its seller has paid the line's term. */
export const activationCode = entity('ActivationCode', {
  id: z.string(),
  code: z.string(),
  plan_id: z.string().nullable(),
  months: z.number().int(),
  cost: z.number().int(),
  note: z.string().nullable(),
  status: z.enum(activationCodeStatuses),
  line_id: z.string().nullable(),
  username: z.string().nullable(),
  created_at: moment,
  used_at: moment.nullable(),
  refunded_at: moment.nullable(),
});
export type ActivationCode = z.output<typeof activationCode>;

export const MAX_ACTIVATION_CODES_AT_ONCE = 100;

const sellers = ['view_users'] as const;

export const listActivationCodes = endpoint('listActivationCodes', 'GET /api/activation-codes', {
  summary: 'List activation codes',
  description:
    'Lists your own codes, newest first. `q` searches the note, the username of the line, and a whole code.',
  access: sellers,
  ...listOf(activationCodesList, activationCode),
});

export const createActivationCodes = endpoint(
  'createActivationCodes',
  'POST /api/activation-codes',
  {
    ...creation,
    repliesAnew: true,
    summary: 'Create activation codes',
    description:
      'Creates up to 100 codes, with which customers make lines themselves. You pay for the lines now, at your own price. An unused code counts as a line in limits.',
    access: sellers,
    body: z.object({
      /** The id of the plan; by default that of Standard. */
      plan_id: planId.optional(),
      months,
      count: wholeNumber(1, MAX_ACTIVATION_CODES_AT_ONCE).default(1),
      note: optionalText(200),
      quoted_cost: quotedCost,
    }),
    output: z.object({
      codes: z.array(activationCode),
      cost: z.number().int(),
      credits: z.number().int(),
    }),
    errors: [
      'ACCOUNT_ENDED',
      'INSUFFICIENT_CREDITS',
      'INVALID_SUBSCRIPTION_MONTHS',
      'LIMIT_OF_LINES',
      'PLAN_NOT_FOUND',
      'PLAN_NOT_OFFERED',
      'QUOTE_CHANGED',
    ],
  },
);

export const refundActivationCode = endpoint(
  'refundActivationCode',
  'DELETE /api/activation-codes/{id}',
  {
    ...ofRecord(sellers, 'REDEEM_CODE_NOT_FOUND'),
    summary: 'Refund an activation code',
    description: 'Ends an unused code of your own, and gives back what you paid for it.',
    output: done.extend({ refunded: z.number().int(), credits: z.number().int() }),
    errors: ['ACTIVATION_CODE_USED', 'ALREADY_REFUNDED'],
  },
);

/** The receiver settings for one server. */
const entered = z.object({
  host: z.string(),
  port: z.string(),
  cccam: z.string().nullable(),
  newcamd: z.array(z.string()),
});

/** The receiver settings of an activated line. The first of `servers` is also in `host`, `port` and `c_line`. */
const activatedLine = entity('ActivatedLine', {
  username: z.string(),
  protocol: z.string(),
  expiry_date: z.string(),
  host: z.string(),
  port: z.string(),
  c_line: z.string().nullable(),
  servers: z.array(entered),
  is_ready: z.boolean(),
});
export type ActivatedLine = z.output<typeof activatedLine>;

export const activate = endpoint('activate', 'POST /api/activate', {
  status: 201,
  summary: 'Activate a code',
  description:
    'Makes the line of a code. Its term begins today. The same code, username and password return the line again.',
  access: 'public',
  body: z.object({ code: requiredText(100), username: lineUsername, password: linePassword }),
  output: z.object({ line: activatedLine }),
  repliesWithSecret: true,
  errors: [
    'INVALID_OR_EXPIRED_CODE',
    'ACTIVATION_CODE_USED',
    'ACTIVATION_NOT_NOW',
    'USERNAME_EXISTS',
    'NAME_TOO_LONG_FOR_CCCAM',
    'NAME_SHARES_FIRST_20',
    'TOO_MANY_ATTEMPTS',
  ],
});
