import * as z from 'zod';
import { creation, done, endpoint, entity, ofRecord } from '../endpoint.ts';
import {
  changesOf,
  invalid,
  moment,
  optionalText,
  serverId,
  wholeNumber,
  yesOrNo,
} from '../fields/fields.ts';
import { MAX_MONTHS } from '../fields/line-fields.ts';
import { requiredName } from '../fields/names.ts';
import { cccamRights, oscamRights } from '../servers/rights.ts';

/** The plan that every panel has. Its lines are exactly as the specification describes lines. */
export const STANDARD_PLAN = '00000000-0000-4000-8000-000000000010';

/** The highest price of a term in credits. */
export const MAX_PRICE = 1_000_000;
const MAX_TERMS = 20;

/** Credits of a term. A term is never free of charge; only trials are. */
export const price = wholeNumber(1, MAX_PRICE);

const planTerm = z.object({
  months: wholeNumber(1, MAX_MONTHS),
  credits: price,
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

const MAX_SERVERS = 50;

/**
 * The servers of a plan's line: one of the plan's servers, which the seller chooses; all of them;
 * or the active one with the fewest lines.
 */
export const serveWays = ['one', 'all', 'fewest'] as const;
export type ServeWay = (typeof serveWays)[number];

/** A server of a plan, with the rights of its lines there. */
const planServer = z.object({
  server_id: serverId,
  oscam: oscamRights.optional(),
  cccam: cccamRights.optional(),
});
export type PlanServer = z.output<typeof planServer>;

/** The servers of a plan in order, each once. Without any, a line can be on every server. */
const planServers = z
  .array(planServer)
  .max(MAX_SERVERS, { error: 'TOO_MANY_VALUES' })
  .superRefine((servers, check) => {
    for (const [index, { server_id }] of servers.entries()) {
      if (servers.findIndex((one) => one.server_id === server_id) === index) continue;
      check.addIssue({ code: 'custom', path: [index, 'server_id'], message: 'SERVER_TWICE' });
    }
  });

const fields = {
  name: requiredName(100),
  description: optionalText(300),
  position: wholeNumber(0, 1000).default(0),
  /** False for a plan that is no longer sold. Its lines can still be renewed. */
  is_offered: yesOrNo.default(true),
  serves: z.enum(serveWays, invalid).default('one'),
  servers: planServers.default([]),
  terms: planTerms,
};

/** A plan: the servers of its lines, their rights there, and their prices. */
export const plan = entity('Plan', {
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  position: z.number().int(),
  is_offered: z.boolean(),
  serves: z.enum(serveWays),
  /** The plan's servers; empty if its lines can be on every server. Only administrators get the rights. */
  servers: z.array(
    z.object({
      server_id: z.string(),
      server_name: z.string(),
      oscam: oscamRights.optional(),
      cccam: cccamRights.optional(),
    }),
  ),
  /** The panel's prices; empty for readers who are not administrators, whose prices `listPrices` returns. */
  terms: z.array(
    z.object({ months: z.number().int(), credits: z.number().int(), is_offered: z.boolean() }),
  ),
  lines: z.number().int().nullable(),
  updated_at: moment,
});
export type Plan = z.output<typeof plan>;

export const listPlans = endpoint('listPlans', 'GET /api/plans', {
  summary: 'List the plans',
  description:
    'Lists the plans in the order in which they are offered. Sellers get the plans that they can sell, and those of their lines.',
  access: ['view_users'],
  output: z.object({ items: z.array(plan) }),
});

export const createPlan = endpoint('createPlan', 'POST /api/plans', {
  ...creation,
  summary: 'Create a plan',
  description: 'Creates a plan. It is offered to all sellers whose limits do not exclude it.',
  access: 'admin',
  body: z.object(fields),
  output: z.object({ plan }),
  errors: [
    'NO_TERM_OFFERED',
    'TERM_TWICE',
    'SERVER_NOT_FOUND',
    'SERVER_TWICE',
    'PLAN_NEEDS_SERVERS',
  ],
});

const ofPlan = ofRecord('admin', 'PLAN_NOT_FOUND');

export const editPlan = endpoint('editPlan', 'PATCH /api/plans/{id}', {
  ...ofPlan,
  hasLongStatements: true,
  summary: 'Change a plan',
  description:
    'Changes the fields that you send. Prices hold for sales and renewals from now on; paid time stays as it is. New servers or rights start a job that delivers the lines of the plan again, which can be undone. With `preview` it stores nothing and returns the number of those lines and their servers.',
  body: z.object({
    ...changesOf(fields),
    preview: z.boolean().default(false),
    /** Time of the last change of the plan that the caller has seen. */
    from_updated_at: moment.optional(),
  }),
  output: z.object({
    plan,
    /** Number of lines whose delivery changes; `servers` is the number of their servers. */
    lines: z.number().int(),
    servers: z.number().int(),
    /** The job that delivers the lines; null if none changes. */
    job_id: z.string().nullable(),
  }),
  errors: [
    'PLAN_CHANGED_SINCE',
    'PLAN_SERVER_HAS_LINES',
    'NAMES_NOT_FOR_CCCAM',
    'USERNAME_STILL_USED',
    'PLAN_NEEDS_SERVERS',
    'STANDARD_ON_ONE',
    'NO_TERM_OFFERED',
    'TERM_TWICE',
    'SERVER_NOT_FOUND',
    'SERVER_TWICE',
  ],
});

export const deletePlan = endpoint('deletePlan', 'DELETE /api/plans/{id}', {
  ...ofPlan,
  summary: 'Delete a plan',
  description: 'Deletes a plan that has no lines. The plan Standard stays.',
  output: done,
  errors: ['PLAN_HAS_CODES', 'PLAN_IN_USE', 'PLAN_STAYS'],
});
