import * as z from 'zod';
import { endpoint, entity, ofRecord } from '../endpoint.ts';
import { moment, wholeNumber, yesOrNo } from '../fields/fields.ts';
import { MAX_MONTHS } from '../fields/line-fields.ts';

/** The plan that every panel has: its lines are what the specification says a line is. */
export const STANDARD_PLAN = '00000000-0000-4000-8000-000000000010';

/** The highest price of a term in credits. */
export const MAX_PRICE = 1_000_000;
const MAX_TERMS = 20;

/** Credits of a term. A term is never free: a trial is what costs nothing. */
export const price = wholeNumber(1, MAX_PRICE);

const planTerm = z.object({
  months: wholeNumber(1, MAX_MONTHS),
  credits: price,
  /** False for a term that is kept with its price and not sold. */
  is_offered: yesOrNo.default(true),
});
export type PlanTerm = z.output<typeof planTerm>;

/** The terms of a plan in the order in which they are offered, at least one of them on sale. */
export const planTerms = z
  .array(planTerm)
  .max(MAX_TERMS, { error: 'TOO_MANY_VALUES' })
  .superRefine((terms, check) => {
    const refuse = (path: (string | number)[], message: string) =>
      check.addIssue({ code: 'custom', path, message });
    if (!terms.some(({ is_offered }) => is_offered)) refuse([], 'NO_TERM_OFFERED');
    for (const [index, term] of terms.entries()) {
      const first = terms.findIndex((one) => one.months === term.months);
      if (first !== index) refuse([index, 'months'], 'TERM_TWICE');
    }
  });

/** What lines of a plan cost. */
export const plan = entity('Plan', {
  id: z.string(),
  name: z.string(),
  terms: z.array(
    z.object({ months: z.number().int(), credits: z.number().int(), is_offered: z.boolean() }),
  ),
  updated_at: moment,
});
export type Plan = z.output<typeof plan>;

export const listPlans = endpoint('listPlans', 'GET /api/plans', {
  summary: 'List the plans',
  description: 'Lists the plans with their terms and the prices of the panel.',
  access: 'admin',
  output: z.object({ items: z.array(plan) }),
});

export const editPlan = endpoint('editPlan', 'PATCH /api/plans/{id}', {
  ...ofRecord('admin', 'PLAN_NOT_FOUND'),
  summary: 'Change a plan',
  description:
    'Changes the terms and prices. They hold for sales and renewals from now on; paid time stays as it is.',
  body: z.object({
    terms: planTerms.optional(),
    /** When the plan was last changed, as the caller knows it. */
    from_updated_at: moment.optional(),
  }),
  output: z.object({ plan }),
  errors: ['PLAN_CHANGED_SINCE', 'NO_TERM_OFFERED', 'TERM_TWICE'],
});
