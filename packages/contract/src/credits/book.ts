import * as z from 'zod';
import { csvReply, done, endpoint, ofRecord } from '../endpoint.ts';
import { dayOr, invalid, moment } from '../fields/fields.ts';
import { paymentStates } from '../fields/payment.ts';

const sellers = ['view_users'] as const;

/** Sums of one currency. */
const amounts = z.object({
  /** The currency of these sums; null for entries without one. */
  currency: z.string().nullable(),
  taken_minor: z.number().int(),
  payments: z.number().int(),
  owed_minor: z.number().int(),
});
export type BookAmounts = z.output<typeof amounts>;

const figures = { amounts: z.array(amounts), credits: z.number().int() };

const bookMonth = z.object({
  month: z.string(),
  ...figures,
  /**
   * The amounts received in the currency of the preferences, less the cost of the credits; null if currency or cost is
   * not set.
   */
  profit_minor: z.number().int().nullable(),
  plans: z.array(
    z.object({
      /** The id of the plan; null for lines whose plan is no longer known. */
      plan_id: z.string().nullable(),
      plan: z.string().nullable(),
      ...figures,
    }),
  ),
});
export type BookMonth = z.output<typeof bookMonth>;

/** A sale or renewal that a customer still owes. */
const debt = z.object({
  id: z.string(),
  /** The id of the line; null if it was deleted, or belongs to another account now. */
  line_id: z.string().nullable(),
  username: z.string(),
  name: z.string().nullable(),
  amount_minor: z.number().int().nullable(),
  currency: z.string().nullable(),
  due: z.string().nullable(),
  since: moment,
});
export type Debt = z.output<typeof debt>;

/** Debts that are listed, at most; the totals have all. */
export const MOST_DEBTS = 100;

const bookDay = dayOr('INVALID_VALUE').optional();
const period = z.object({ from: bookDay, to: bookDay });

export const readBook = endpoint('readBook', 'GET /api/book', {
  summary: 'Read your bookkeeping',
  description:
    'Returns by month and plan what customers of your own lines paid and owe, and the credits that you spent on these lines; by default for the current month. `owed` has all open debts. Nobody else can see your bookkeeping, and it moves no credits.',
  access: sellers,
  query: period,
  output: z.object({
    currency: z.string().nullable(),
    credit_minor: z.number().int().nullable(),
    months: z.array(bookMonth),
    owed: z.object({
      customers: z.number().int(),
      totals: z.array(
        z.object({ currency: z.string().nullable(), amount_minor: z.number().int() }),
      ),
      items: z.array(debt),
    }),
  }),
});

export const bookCsv = endpoint('bookCsv', 'GET /api/book/csv', {
  summary: 'Download your bookkeeping as CSV',
  description: 'Downloads a row for each month, plan and currency. Amounts are in hundredths.',
  access: sellers,
  ...csvReply,
  query: period,
});

export const editBookEntry = endpoint('editBookEntry', 'PATCH /api/book/{id}', {
  ...ofRecord(sellers, 'NOT_FOUND'),
  summary: 'Change an entry of your bookkeeping',
  description: 'Sets whether a customer paid one sale or renewal, also of a line that was deleted.',
  body: z.object({ state: z.enum(paymentStates, invalid) }),
  output: done,
});
