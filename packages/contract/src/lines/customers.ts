import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { arrayOf, flag, moment, numberInQuery, userId, yesOrNo } from '../fields/fields.ts';
import { ofJob } from './bulk.ts';

/** Customers on one page or in one call, at most. */
export const MAX_CUSTOMERS = 100;
/** Days for which the list of customers to notify is kept. */
export const CUSTOMERS_KEPT_DAYS = 30;

const account = z.object({
  account_id: z.string(),
  /** Name of the owner, or the email of an account without a name. */
  name: z.string(),
  lines: z.number().int(),
  told: z.number().int(),
  /** Own texts for a new address, by language. */
  texts: z.record(z.string(), z.string()),
});
export type CustomersOfAccount = z.output<typeof account>;

const customer = z.object({
  position: z.number().int(),
  line_id: z.string(),
  username: z.string(),
  owner_id: z.string(),
  name: z.string().nullable(),
  notes: z.string().nullable(),
  language: z.string().nullable(),
  expiry_date: z.string(),
  plan: z.string(),
  price_minor: z.number().int().nullable(),
  currency: z.string().nullable(),
  host_port: z.array(z.string()),
  old_lines: z.array(z.string()),
  new_lines: z.array(z.string()),
  told_at: moment.nullable(),
});
export type Customer = z.output<typeof customer>;

export const jobCustomers = endpoint('jobCustomers', 'GET /api/jobs/{id}/customers', {
  ...ofJob,
  summary: 'List the customers to notify after a move or a new address',
  description:
    'Lists customers of your lines and of accounts below, also if somebody else moved the lines. The list is kept for 30 days.',
  query: z.object({
    told: flag.optional(),
    owner_id: userId.optional(),
    after: numberInQuery(0, 10_000_000).optional(),
  }),
  output: z.object({
    action: z.string(),
    /** Name of the account that made the change; null for an account without a name, except for administrators. */
    by: z.string().nullable(),
    /** Names of the lines' former and present server; null if there are several, or if the server was deleted. */
    from_server: z.string().nullable(),
    to_server: z.string().nullable(),
    at: moment,
    is_undone: z.boolean(),
    lines: z.number().int(),
    told: z.number().int(),
    /** The owners, those with most customers to notify first. */
    accounts: z.array(account),
    items: z.array(customer),
    next: z.number().int().nullable(),
  }),
});
export type JobCustomers = z.output<typeof jobCustomers.output>;

export const markTold = endpoint('markTold', 'POST /api/jobs/{id}/customers/told', {
  ...ofJob,
  summary: 'Mark customers as notified',
  description: 'Marks the customers of these lines as notified, or removes the mark.',
  body: z.object({
    line_ids: z
      .array(userId)
      .min(1, { error: 'NOTHING_SELECTED' })
      .max(MAX_CUSTOMERS, { error: 'TOO_MANY_LINES' }),
    is_told: yesOrNo,
  }),
  output: z.object({ told: z.number().int() }),
  errors: ['NOTHING_SELECTED', 'TOO_MANY_LINES'],
});

export const customersToTell = endpoint('customersToTell', 'GET /api/customers/to-tell', {
  summary: 'List changed addresses whose customers have not been notified',
  description:
    'Lists moves and new addresses of your own lines, newest first. Each stays for at most 30 days, until every customer has been notified or was seen on the server that the line was moved to.',
  access: ['view_users'],
  output: z.object({
    items: arrayOf({
      job_id: z.string(),
      at: moment,
      lines: z.number().int(),
      told: z.number().int(),
      seen: z.number().int(),
    }),
  }),
});
