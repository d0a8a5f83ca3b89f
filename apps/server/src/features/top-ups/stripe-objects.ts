import * as z from 'zod';
import { fail } from '../../core/refusal.ts';

/**
 * The fields of Stripe's objects that are read. Stripe's own types describe its newest version, so real
 * events are checked, and one that lacks a field changes nothing.
 */
const id = z.string().min(1);
const minor = z.int().min(0);

/** An object by itself or by its id. */
const reference = z
  .union([id, z.object({ id })])
  .transform((given) => (typeof given === 'string' ? given : given.id));

export const checkoutSession = z.object({
  id,
  status: z.string().nullable(),
  payment_status: z.string(),
  amount_total: minor.nullable(),
  currency: z.string().nullable(),
  payment_intent: reference.nullish(),
  url: z.string().nullish(),
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
  status: z.string(),
  payment_intent: reference.nullish(),
});

export function read<Schema extends z.ZodType>(schema: Schema, object: unknown): z.output<Schema> {
  const { data, success } = schema.safeParse(object);
  return success ? data : fail('VALIDATION_FAILED');
}
