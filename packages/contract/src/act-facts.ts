import * as z from 'zod';

/**
 * The facts of an act, beside its fields: months, until when (a day or a moment), cost, credits (of each code, if
 * `count` is a number of codes), number of lines, redeemed code and reason.
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
