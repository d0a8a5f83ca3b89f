import * as z from 'zod';
import { creation, done, endpoint, entity, ofRecord, page } from '../endpoint.ts';
import { expiry } from '../fields/expiry.ts';
import {
  changesOf,
  creditsAbove0,
  moment,
  optionalText,
  requiredText,
  wholeNumber,
  yesOrNo,
} from '../fields/fields.ts';
import { isVisible } from '../fields/names.ts';
import { csvOf, listOf, queryOf } from '../lists/list.ts';
import {
  redeemCodeStatuses,
  redeemCodesList,
  redemptionStatuses,
  redemptionsList,
} from '../lists/lists.ts';

export type RedeemCodeStatus = (typeof redeemCodeStatuses)[number];

/** A code that gives credits to the account that redeems it. `status` shows if it can be redeemed now. */
export const redeemCode = entity('RedeemCode', {
  id: z.string(),
  code: z.string(),
  credits: z.number().int(),
  description: z.string().nullable(),
  is_active: z.boolean(),
  created_by: z.string(),
  created_at: moment,
  max_uses: z.number().int(),
  times_used: z.number().int(),
  expires_at: moment.nullable(),
  status: z.enum(redeemCodeStatuses),
});
export type RedeemCode = z.output<typeof redeemCode>;

/**
 * An attempt to redeem a code, which outlives the code. `code_id` is null if the code did not exist; `credits` is 0
 * and `transfer_id` null if the attempt failed.
 */
export const redemption = entity('Redemption', {
  id: z.string(),
  code_id: z.string().nullable(),
  code: z.string(),
  credits: z.number().int(),
  user_id: z.string(),
  user_email: z.string(),
  redeemed_at: moment,
  status: z.enum(redemptionStatuses),
  transfer_id: z.string().nullable(),
});
export type Redemption = z.output<typeof redemption>;

export const MAX_CODES_AT_ONCE = 1000;
const MIN_CODE_LENGTH = 4;
const MAX_CODE_LENGTH = 64;

/** A text with the letters, digits and separators of a code. */
const CODE = /^[\p{L}\p{M}\p{N}._-]+$/u;

/**
 * The normal form of a code, equal for all its spellings: people read codes aloud, type them in small letters and
 * leave out dashes.
 */
export function codeKey(code: string): string {
  return code
    .normalize('NFKC')
    .replace(/[\s\p{Pd}\p{Cf}]/gu, '')
    .toUpperCase();
}

const ofCode = ofRecord('admin', 'REDEEM_CODE_NOT_FOUND');

const ownCode = z
  .string({ error: 'INVALID_CODE_TEXT' })
  .trim()
  .normalize('NFC')
  .max(MAX_CODE_LENGTH, { error: 'TOO_LONG' })
  .regex(CODE, { error: 'INVALID_CODE_TEXT' })
  .refine(isVisible, { error: 'HIDDEN_LETTERS' })
  .refine((text) => codeKey(text).length >= MIN_CODE_LENGTH, { error: 'INVALID_CODE_TEXT' });

const codeFields = {
  credits: creditsAbove0,
  description: optionalText(200),
  max_uses: wholeNumber(1, 1_000_000).default(1),
  expires_at: expiry.nullish(),
  is_active: yesOrNo.default(true),
};
const { credits, ...otherFields } = codeFields;

export const listRedeemCodes = endpoint('listRedeemCodes', 'GET /api/redeem-codes', {
  summary: 'List redeem codes',
  description: 'Lists all codes. `q` searches the code and its description.',
  access: 'admin',
  ...listOf(redeemCodesList, redeemCode),
});

export const redeemCodesCsv = endpoint('redeemCodesCsv', 'GET /api/redeem-codes/csv', {
  summary: 'Download the filtered list of redeem codes as CSV',
  description: 'Downloads the codes that `listRedeemCodes` lists, without pages.',
  access: 'admin',
  ...csvOf(redeemCodesList),
});

export const createRedeemCodes = endpoint('createRedeemCodes', 'POST /api/redeem-codes', {
  ...creation,
  summary: 'Create redeem codes',
  description:
    'Creates one code, or up to 1,000 with the same properties. The panel generates them, with 80 bits each; you can choose a single one yourself. If `expires_at` is a day, the codes work through that day.',
  access: 'admin',
  body: z.object({
    // The fields are in the order of other versions, because the hash that proves a repeated
    // request is made from the whole body.
    credits,
    code: ownCode.optional(),
    count: wholeNumber(1, MAX_CODES_AT_ONCE).default(1),
    ...otherFields,
  }),
  output: z.object({ codes: z.array(redeemCode) }),
  errors: [
    'CREDITS_NOT_POSITIVE',
    'CODE_EXISTS',
    'INVALID_CODE_TEXT',
    'SEVERAL_CODES_ARE_MADE',
    'EXPIRES_IN_PAST',
  ],
});

export const editRedeemCode = endpoint('editRedeemCode', 'PATCH /api/redeem-codes/{id}', {
  ...ofCode,
  summary: 'Change a redeem code',
  description: 'Changes the fields that you send. `null` as `expires_at` removes the expiry.',
  body: z.object(changesOf(codeFields)),
  output: z.object({ code: redeemCode }),
  errors: ['CREDITS_NOT_POSITIVE', 'FEWER_THAN_USED'],
});

export const deleteRedeemCode = endpoint('deleteRedeemCode', 'DELETE /api/redeem-codes/{id}', {
  ...ofCode,
  summary: 'Delete a redeem code',
  description: 'Deletes the code. Its history is kept.',
  output: done,
});

export const redeem = endpoint('redeem', 'POST /api/redeem', {
  summary: 'Redeem a code',
  description:
    "Adds the code's credits to your balance. `credits` in the response is their number.",
  access: 'account',
  body: z.object({ code: requiredText(100) }),
  output: done.extend({ message: z.string(), credits: z.number().int() }),
  needsIdempotencyKey: true,
  errors: [
    'INVALID_OR_EXPIRED_CODE',
    'CODE_ALREADY_REDEEMED',
    'USER_NOT_FOUND',
    'TOO_MANY_ATTEMPTS',
  ],
});

export const listRedemptions = endpoint('listRedemptions', 'GET /api/redeem/history', {
  summary: 'List attempts to redeem a code',
  description:
    'Lists your own attempts. Administrators get all of them. `q` searches the code. `credits` is the sum over all rows that match.',
  access: 'account',
  query: queryOf(redemptionsList),
  output: page(redemption).extend({ credits: z.number().int() }),
});
