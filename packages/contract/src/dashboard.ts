import * as z from 'zod';
import { endpoint, entity } from './endpoint.ts';
import { arrayOf, moment } from './fields/fields.ts';
import { optionalFinding } from './findings.ts';

export const DASHBOARD_DAYS = 30;
/** Days within which an expiry counts as soon, in figures and in the view of expiring lines. */
export const SOON_DAYS = 7;
export const MOST_SELLERS = 6;

/** A count as in lists: up to 10,000, exact if it is lower. */
const figure = z.object({ total: z.number().int(), total_is_exact: z.boolean() });
export type Figure = z.output<typeof figure>;

const lineFigures = z.object({
  active: figure,
  expiring: figure,
  expired: figure,
  trials: figure,
  added: figure,
  ended: figure,
  trials_ending: figure,
  expiries: z.array(figure.extend({ day: z.string() })),
});
export type LineFigures = z.output<typeof lineFigures>;

const creditFigures = z.object({
  /** Days up to today, 30 in all. Refunds are not deducted, because they are not sales. */
  days: arrayOf({
    day: z.string(),
    /** Credits spent on lines: by the account, or by all accounts if an administrator asks. */
    spent: z.number().int(),
    /** The account's balance at the end of the day; null if its credits are not counted. */
    balance: z.number().int().nullable(),
  }),
  spent: z.number().int(),
  spent_before: z.number().int(),
  change: z.number().int().nullable(),
  /**
   * Credits that the account sent for lines and to accounts below, minus those that were refunded or taken back; null
   * like `change`.
   */
  sold: z.number().int().nullable(),
  bought: z.number().int().nullable(),
});
export type CreditFigures = z.output<typeof creditFigures>;

/** Lines that the account paid to renew, and their price, without renewals that were undone. */
const renewals = z.object({ lines: z.number().int(), cost: z.number().int() });
export type Renewals = z.output<typeof renewals>;

const seller = z.object({ account_id: z.string(), name: z.string(), spent: z.number().int() });
export type Seller = z.output<typeof seller>;

/** True if the step is done; null if the account cannot do it. */
const step = z.boolean().nullable();
const firstSteps = z.object({
  /** Done as soon as a server is offered for new lines. */
  server: step,
  line: step,
  /** True once a package exists, and an order can be paid, by transfer or by card. */
  payee: step,
  account: step,
});
export type FirstSteps = z.output<typeof firstSteps>;

/** Automatic renewals within a week for which the account lacks credits. */
const autoRenewals = z.object({
  lines: z.number().int(),
  /** Credits that these renewals cost. */
  needed: z.number().int(),
  /** Credits that the account has for them, without those that its preferences keep. */
  available: z.number().int(),
  /** The first line whose renewal the credits do not cover. */
  first_line_id: z.string(),
});
export type AutoRenewals = z.output<typeof autoRenewals>;

/** Accounts below an administrator that have no credits, and lines that expire soon. */
const outOfCredits = z.object({
  /** The accounts with most of these lines. */
  items: z.array(z.object({ account_id: z.string(), name: z.string(), lines: z.number().int() })),
  total: z.number().int(),
});
export type AccountOutOfCredits = z.output<typeof outOfCredits>['items'][number];

/** Lines online, through the day so far and a week before; null if no server reports its sessions. */
const onlineFigures = z.object({
  now: z.number().int(),
  at: moment,
  week_before: z.number().int().nullable(),
  most: z.object({ lines: z.number().int(), hour: moment }).nullable(),
  /** The hours of the day, with the mean number of lines online; null if it is unknown or the hour is in the future. */
  hours: z.array(
    z.object({ hour: moment, lines: z.number().nullable(), week_before: z.number().nullable() }),
  ),
  /** Servers with lines of the account. */
  servers: arrayOf({
    server_id: z.string(),
    server_name: z.string(),
    lines: z.number().int(),
    online: z.number().int(),
    unknown_since: moment.nullable(),
    is_known: z.boolean(),
    /** The reason why the server does not report its sessions; for administrators. */
    finding: optionalFinding,
  }),
  never_connected: z.object({ lines: z.number().int(), oldest: z.string().nullable() }),
  /** Lines with many refused requests now, those with most first. */
  refusals: arrayOf({
    line_id: z.string(),
    username: z.string(),
    server_name: z.string(),
    owner_name: z.string(),
    share: z.number(),
    since: moment,
  }),
});
export type OnlineFigures = z.output<typeof onlineFigures>;

export const getDashboard = endpoint('getDashboard', 'GET /api/dashboard', {
  summary: 'Get the figures of the dashboard',
  description:
    "Returns the figures of your own lines, your credits in the last 30 days, and the best sellers among the accounts below you. With `manage_users` they cover all lines. Days are in the panel's time zone.",
  access: 'account',
  output: entity('Dashboard', {
    today: z.string(),
    /** Figures of lines; null if the account may not see lines. */
    lines: lineFigures.nullable(),
    credits: creditFigures,
    renewed_today: renewals,
    online: onlineFigures.nullable(),
    /** Accounts that spent most on lines in the last 30 days; null if the account can have none below it. */
    sellers: z.array(seller).nullable(),
    steps: firstSteps,
    out_of_credits: outOfCredits.nullable(),
    /** The automatic renewals for which credits are missing; null if the credits are enough. */
    auto_renewals: autoRenewals.nullable(),
  }),
});
