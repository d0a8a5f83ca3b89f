import * as z from 'zod';
import { endpoint, ofRecord } from '../endpoint.ts';
import { day, planId, userId, wholeNumber, yesOrNo } from '../fields/fields.ts';
import { months } from '../fields/line-fields.ts';
import { MAX_PLANS } from '../pricing.ts';
import { ofAccount } from './accounts.ts';

const MAX_LIMIT = 1_000_000;

/** The share of a limit from which its account is notified, once, that it is nearly reached. */
export const NEAR_LIMIT = 0.8;

const count = wholeNumber(0, MAX_LIMIT).nullable().default(null);

/** The limits of an account and all accounts below it; null is no limit. */
export const limitsGiven = z.object({
  lines: count,
  accounts: count,
  trials: count,
  max_months: months.nullable().default(null),
  may_delete: yesOrNo.default(true),
  plan_ids: z.array(planId).max(MAX_PLANS, { error: 'TOO_MANY_VALUES' }).nullable().default(null),
  ends_on: day.nullable().default(null),
});
export type LimitsGiven = z.output<typeof limitsGiven>;

const counted = z.object({
  limit: z.number().int().nullable(),
  used: z.number().int(),
  bound: z.number().int().nullable(),
});

/** Each limit with the used part, and the bound that applies: the tightest one of the account and those above. */
const limits = z.object({
  lines: counted,
  accounts: counted,
  trials: counted,
  max_months: z.object({
    limit: z.number().int().nullable(),
    bound: z.number().int().nullable(),
  }),
  may_delete: z.object({ limit: z.boolean(), bound: z.boolean() }),
  plan_ids: z.object({
    limit: z.array(z.string()).nullable(),
    bound: z.array(z.string()).nullable(),
  }),
  ends_on: z.object({ limit: z.string().nullable(), bound: z.string().nullable() }),
});
export type Limits = z.output<typeof limits>;

export const getLimits = endpoint('getLimits', 'GET /api/accounts/{id}/limits', {
  ...ofRecord('account', 'USER_NOT_FOUND', userId),
  summary: 'Show the limits of an account',
  description: 'Lists the limits of your own account or one below, with what is used of them.',
  output: limits,
});

export const setLimits = endpoint('setLimits', 'PUT /api/accounts/{id}/limits', {
  ...ofAccount,
  summary: 'Set the limits of an account',
  description:
    'Sets all limits of an account below your own; what you leave out has no limit. Lines and accounts that are there stay.',
  body: limitsGiven,
  output: limits,
  errors: ['PLAN_NOT_FOUND'],
});
