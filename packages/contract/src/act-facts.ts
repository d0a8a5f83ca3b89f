import * as z from 'zod';

/**
 * The facts of an act, beside its fields: how many months, until when (a day or a moment), what it
 * cost, how many credits it was about (each, where `count` says of how many codes), how many lines it
 * reached, which code was redeemed, and why it was done.
 */
export const actFacts = z.object({
  months: z.number().int().nullable(),
  until: z.string().nullable(),
  cost: z.number().int().nullable(),
  credits: z.number().int().nullable(),
  count: z.number().int().nullable(),
  lines: z.number().int().nullable(),
  code: z.string().nullable(),
  label: z.string().nullable(),
  reason: z.string().nullable(),
});
export type ActFacts = z.output<typeof actFacts>;
