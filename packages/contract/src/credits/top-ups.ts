import * as z from 'zod';
import { creation, done, endpoint, entity, ofRecord } from '../endpoint.ts';
import {
  arrayOf,
  changesOf,
  creditsAbove0,
  id,
  invalid,
  missingOr,
  moment,
  optionalText,
  requiredText,
  yesOrNo,
} from '../fields/fields.ts';
import { requiredName } from '../fields/names.ts';
import { csvOf, listOf } from '../lists/list.ts';
import { topUpMethods, topUpStatuses, topUpsList } from '../lists/lists.ts';

export type TopUpStatus = (typeof topUpStatuses)[number];
export type TopUpMethod = (typeof topUpMethods)[number];

/** Currencies with two decimals, so that `price_minor` is always in hundredths. */
export const currencies = [
  'EUR',
  'USD',
  'GBP',
  'PLN',
  'BRL',
  'CHF',
  'CZK',
  'DKK',
  'NOK',
  'SEK',
  'RON',
  'TRY',
  'CAD',
  'AUD',
] as const;
export type Currency = (typeof currencies)[number];

export const MAX_PACKAGES = 100;
export const MAX_PENDING_TOP_UPS = 10;
/** The highest amount that Stripe accepts. */
const MAX_PRICE_MINOR = 99_999_999;

/** Credits that are sold together for a price. */
const creditPackage = entity('CreditPackage', {
  id: z.string(),
  name: z.string(),
  credits: z.number().int(),
  price_minor: z.number().int(),
  currency: z.string(),
  is_active: z.boolean(),
  created_at: moment,
  /** True for the active package that was paid for most often. */
  is_most_bought: z.boolean(),
});
export type CreditPackage = z.output<typeof creditPackage>;

/**
 * Problems of a payment. `wrong_amount`: a card payment differs from the order, so nothing was issued. `paid_again`:
 * a card payment arrived for a top-up that was already approved.
 */
const topUpProblems = ['wrong_amount', 'paid_again'] as const;
export type TopUpProblem = (typeof topUpProblems)[number];

/** An order of a package, with name, credits and price at the time of the order. */
export const topUp = entity('TopUp', {
  id: z.string(),
  number: z.string(),
  account_id: z.string(),
  account_name: z.string(),
  account_email: z.string(),
  package_id: z.string(),
  package_name: z.string(),
  credits: z.number().int(),
  price_minor: z.number().int(),
  currency: z.string(),
  method: z.enum(topUpMethods),
  note: z.string().nullable(),
  status: z.enum(topUpStatuses),
  /** Reason of the rejection. */
  reason: z.string().nullable(),
  is_processing: z.boolean(),
  created_at: moment,
  decided_at: moment.nullable(),
  is_paid_by_card: z.boolean(),
  /** The account that decided, for administrators only; null for a card payment. */
  decided_by_name: z.string().nullable(),
  transfer_id: z.string().nullable(),
  /** Balance right after the credits were added; null if the account's credits are not counted. */
  balance_after: z.number().int().nullable(),
  balance: z.number().int(),
  returned_credits: z.number().int(),
  /** Credits that were spent before they could be taken back, for administrators only. */
  owed_credits: z.number().int(),
  /**
   * Credits that another account has given since the order, separately and possibly for the same
   * money; null without any. For administrators, and only for orders that are not approved.
   */
  given_since: z.object({ credits: z.number().int(), at: moment }).nullable(),
  /** The problem of a payment that needs the attention of an administrator; null if there is none. */
  problem: z.enum(topUpProblems).nullable(),
  /** Card payments for which no credits were issued, and the part of each that went back. */
  surplus: arrayOf({
    paid_minor: z.number().int().nullable(),
    currency: z.string().nullable(),
    returned_minor: z.number().int(),
  }),
});
export type TopUp = z.output<typeof topUp>;

/** The number as it is shown to people, and given as the reference of a bank transfer. */
export function topUpNumber(number: number): string {
  return `LK-${String(number).padStart(4, '0')}`;
}

const ofPackage = ofRecord('admin', 'PACKAGE_NOT_FOUND');
const ofTopUp = { ...ofRecord('admin', 'TOP_UP_NOT_FOUND'), errors: ['TOP_UP_DECIDED'] } as const;

const packageFields = {
  name: requiredName(60),
  credits: creditsAbove0,
  price_minor: z
    .int(missingOr('REQUIRED', 'NOT_A_WHOLE_NUMBER'))
    .min(1, invalid)
    .max(MAX_PRICE_MINOR, invalid),
  currency: z.enum(currencies, missingOr('REQUIRED', 'INVALID_VALUE')),
  is_active: yesOrNo.default(true),
};

export const listPackages = endpoint('listPackages', 'GET /api/packages', {
  summary: 'List credit packages',
  description:
    'Lists packages by their credits. Administrators also get packages that are not on sale.',
  access: 'account',
  output: z.object({
    items: z.array(creditPackage),
    card_payments: z.boolean(),
    /** Bank details for orders by transfer; empty if no administrator has entered them. */
    bank_details: z.string(),
  }),
});

export const createPackage = endpoint('createPackage', 'POST /api/packages', {
  ...creation,
  summary: 'Add a credit package',
  description: 'Adds a package. `price_minor` is in hundredths of the currency.',
  access: 'admin',
  body: z.object(packageFields),
  output: z.object({ package: creditPackage }),
  errors: ['CREDITS_NOT_POSITIVE', 'TOO_MANY_PACKAGES'],
});

export const editPackage = endpoint('editPackage', 'PATCH /api/packages/{id}', {
  ...ofPackage,
  summary: 'Change a credit package',
  description: 'Changes the fields that you send. Existing orders do not change.',
  body: z.object(changesOf(packageFields)),
  output: z.object({ package: creditPackage }),
  errors: ['CREDITS_NOT_POSITIVE'],
});

export const deletePackage = endpoint('deletePackage', 'DELETE /api/packages/{id}', {
  ...ofPackage,
  summary: 'Delete a credit package',
  description: 'Deletes the package. Existing orders are kept.',
  output: done,
});

export const listTopUps = endpoint('listTopUps', 'GET /api/topups', {
  summary: 'List top-ups',
  description:
    'Lists your own top-ups. Administrators get all of them. `q` searches number, note, name and email.',
  access: 'account',
  ...listOf(topUpsList, topUp),
});

export const topUpsCsv = endpoint('topUpsCsv', 'GET /api/topups/csv', {
  summary: 'Download the filtered list of top-ups as CSV',
  description: 'Downloads the top-ups that `listTopUps` lists, without pages.',
  access: 'account',
  ...csvOf(topUpsList),
});

export const orderTopUp = endpoint('orderTopUp', 'POST /api/topups', {
  ...creation,
  summary: 'Order a credit package',
  description:
    'Creates an order. By bank transfer, it is pending until an administrator approves it; its number is the payment reference. By card, the payment approves it.',
  access: 'account',
  body: z.object({
    package_id: id('INVALID_VALUE'),
    note: optionalText(500),
    method: z.enum(topUpMethods, invalid).default('transfer'),
  }),
  output: topUp,
  errors: [
    'PACKAGE_NOT_FOUND',
    'TOO_MANY_TOP_UPS',
    'CARDS_NOT_SET_UP',
    'NO_BANK_DETAILS',
    'DAILY_LIMIT_REACHED',
  ],
});

export const approveTopUp = endpoint('approveTopUp', 'POST /api/topups/{id}/approve', {
  ...ofTopUp,
  summary: 'Approve a top-up',
  description:
    'Issues the credits, once. Use it when the payment has arrived. With `also_closed`, an order that was declined or withdrawn can also be approved.',
  body: z.object({
    also_closed: yesOrNo.default(false),
  }),
  output: topUp,
  needsIdempotencyKey: true,
});

export const rejectTopUp = endpoint('rejectTopUp', 'POST /api/topups/{id}/reject', {
  ...ofTopUp,
  summary: 'Decline a top-up',
  description: 'Declines the order without issuing credits. The account sees the reason.',
  body: z.object({ reason: requiredText(500) }),
  output: topUp,
});

export const withdrawTopUp = endpoint('withdrawTopUp', 'POST /api/topups/{id}/withdraw', {
  ...ofTopUp,
  summary: 'Withdraw your own pending order',
  description:
    'Withdraws the order, unless it has been decided or its card payment is being processed.',
  access: 'account',
  output: topUp,
  errors: ['TOP_UP_DECIDED', 'CARD_PAYMENT_PROCESSING'],
});

export const checkOutTopUp = endpoint('checkOutTopUp', 'POST /api/topups/{id}/checkout', {
  ...ofTopUp,
  summary: 'Pay a top-up by card',
  description: "Returns the address of Stripe's page for your own pending top-up.",
  access: 'account',
  output: z.object({ url: z.string() }),
  errors: [
    'TOP_UP_DECIDED',
    'CARDS_NOT_SET_UP',
    'CARD_PAYMENT_PROCESSING',
    'CARD_PAYMENT_REFUSED',
    'CARD_PAYMENTS_UNAVAILABLE',
  ],
});

export const resolveTopUp = endpoint('resolveTopUp', 'POST /api/topups/{id}/resolve', {
  ...ofTopUp,
  summary: 'Settle a top-up',
  description:
    'Removes the flags of the top-up. Use it when what was owed or paid twice has been settled elsewhere.',
  body: z.object({ note: requiredText(500) }),
  output: topUp,
  errors: ['ALREADY_SO'],
});

/** Path to which Stripe reports payments. Not a call of the contract: its body is read unparsed. */
export const STRIPE_WEBHOOK_PATH = '/api/payments/stripe/webhook';
