import * as z from 'zod';
import { fail } from '../../platform/errors/refusal.ts';

/**
 * The fields of Stripe's objects that are read. Stripe's own types describe its newest version, so real
 * events are checked, and an event that lacks a field changes nothing.
 */
/** A text of printable ASCII, as all of Stripe's ids and codes are; the database could not store zero bytes. */
const word = z.string().regex(/^[\x20-\x7e]*$/);
const id = word.min(1);
const minor = z.int().min(0);

/** An object of Stripe's, given in full or by its id. */
const reference = z
  .union([id, z.object({ id })])
  .transform((given) => (typeof given === 'string' ? given : given.id));

/** The last second of the year 9999, as the database and Date have it. */
const LAST_SECOND = 253_402_300_799;

/** The schema of an event, which contains its object. */
export const stripeEvent = z.object({
  id,
  type: word,
  /** The time of the event, in seconds since 1970. */
  created: z.int().min(0).max(LAST_SECOND),
  data: z.object({ object: z.unknown() }),
});
export type StripeEvent = z.output<typeof stripeEvent>;

export const checkoutSession = z.object({
  id,
  status: word.nullable(),
  payment_status: word,
  amount_total: minor.nullable(),
  currency: word.nullable(),
  payment_intent: reference.nullish(),
  url: word.nullish(),
});
export type CheckoutSession = z.output<typeof checkoutSession>;

export const refundedCharge = z.object({
  id,
  amount_refunded: minor,
  payment_intent: reference.nullish(),
});

export const dispute = z.object({
  id,
  amount: minor,
  status: word,
  payment_intent: reference.nullish(),
});

/** The fields of an object. Throws VALIDATION_FAILED. */
export function read<Schema extends z.ZodType>(schema: Schema, object: unknown): z.output<Schema> {
  const { data, success } = schema.safeParse(object);
  return success ? data : fail('VALIDATION_FAILED');
}
