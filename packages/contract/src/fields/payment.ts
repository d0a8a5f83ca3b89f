import * as z from 'zod';
import { dayOr, invalid, moment, wholeNumber } from './fields.ts';

/** The highest amount in a seller's bookkeeping and in own prices, in hundredths of a currency. */
export const MAX_OWN_PRICE = 99_999_999;

export const amountMinor = wholeNumber(0, MAX_OWN_PRICE);

/** A currency as three capital letters. */
export const currencyCode = z
  .string(invalid)
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{3}$/, invalid);

export const paymentStates = ['paid', 'owes', 'free'] as const;
export type PaymentState = (typeof paymentStates)[number];

/** A seller's note about the payment of a line. Without an amount, the usual one counts. */
export const givenPayment = z
  .object({
    state: z.enum(paymentStates, invalid),
    amount_minor: amountMinor.nullable().optional(),
    currency: currencyCode.nullable().optional(),
    due: dayOr('INVALID_VALUE').nullable().optional(),
  })
  .optional();
export type GivenPayment = NonNullable<z.output<typeof givenPayment>>;

/** The payment of a line: all that its customer owes, or else the newest bookkeeping entry. */
export const linePayment = z.object({
  state: z.enum(paymentStates),
  /** The sum in hundredths; null if an amount is unknown, or if the amounts have several currencies. */
  amount_minor: z.number().int().nullable(),
  currency: z.string().nullable(),
  due: z.string().nullable(),
  since: moment,
});
export type LinePayment = z.output<typeof linePayment>;

/** The price that a seller's customers pay for a term of a plan. */
export const ownPrice = z.object({
  plan_id: z.guid(invalid).toLowerCase(),
  months: wholeNumber(1, 120),
  price_minor: amountMinor,
});

export interface OwnPrices {
  currency: string | null;
  own_prices: readonly z.output<typeof ownPrice>[];
}

interface Priced {
  plan_id: string;
  price_minor: number | null;
  currency: string | null;
  subscription_months: number | null;
}

/**
 * The amount for some months of a line: the customer's own price, if it is for this term, or else the seller's price for
 * plan and term; null without one.
 */
export function usualAmount(
  { plan_id, price_minor, currency, subscription_months }: Priced,
  months: number | null,
  own: OwnPrices,
): { amount_minor: number | null; currency: string | null } {
  const known = currency ?? own.currency;
  if (price_minor !== null && months !== null && months === subscription_months) {
    return { amount_minor: price_minor, currency: known };
  }
  const listed = own.own_prices.find((one) => one.plan_id === plan_id && one.months === months);
  if (listed) return { amount_minor: listed.price_minor, currency: own.currency };
  return { amount_minor: null, currency: known };
}
