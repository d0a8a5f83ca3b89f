import * as z from 'zod';
import { endpoint, entity } from '../endpoint.ts';
import { invalid, STORABLE, wholeNumber, yesOrNo } from '../fields/fields.ts';
import { namePrefix } from '../fields/line-credentials.ts';
import { months } from '../fields/line-fields.ts';
import { requiredName } from '../fields/names.ts';
import { amountMinor, currencyCode, ownPrice, paymentStates } from '../fields/payment.ts';
import { languages } from '../languages.ts';
import type { Access } from '../permissions.ts';
import { type ListDeclaration, MAX_FILTER_VALUES } from './list.ts';
import { lists as declared } from './lists.ts';

export const viewName = requiredName(40);

export const densities = ['comfortable', 'compact'] as const;
export const MAX_SAVED_VIEWS = 20;
/** Characters of a part of a saved view: enough for the maximum number of ids in one filter. */
const MAX_VIEW_PART = MAX_FILTER_VALUES * 40;
const MAX_SEARCH_PART = 200;
/** Columns in an account's choice, at most: more than any list has, including columns that later versions dropped. */
const MAX_COLUMNS = 50;

const viewPart = (maximum: number) => z.string().max(maximum).regex(STORABLE).optional();

/** An account's preferences for one list. */
function preferencesOf({ columns, filters }: ListDeclaration) {
  const parts = Object.keys(filters).map((name) => [name, viewPart(MAX_VIEW_PART)]);
  const search = z.object({
    q: viewPart(MAX_SEARCH_PART),
    ...Object.fromEntries(parts),
    sort: viewPart(MAX_SEARCH_PART),
  }) as unknown as z.ZodType<Record<string, string>, Record<string, string>>;
  // A list without columns has no enumeration, because the API's documentation cannot describe an empty one.
  const column: z.ZodType<string, string> = columns.length > 0 ? z.enum(columns) : z.never();
  return z.object({
    columns: z.array(column).max(MAX_COLUMNS),
    density: z.enum(densities),
    /** A saved view stores the filter and sort parameters of the list's URL. */
    views: z.array(z.object({ name: viewName, search })).max(MAX_SAVED_VIEWS),
  });
}
export type ListPreferences = z.output<ReturnType<typeof preferencesOf>>;
export type SavedView = ListPreferences['views'][number];

export type ListName = (typeof declared)[number]['name'];
type NamedList = ListDeclaration & { name: ListName };
export const listNames: readonly ListName[] = declared.map(({ name }) => name);

/** A value for each of these, by its name. */
function byName<Named extends { name: string }, Value>(
  all: readonly Named[],
  make: (one: Named) => Value,
): Record<Named['name'], Value> {
  const values = all.map((one) => [one.name, make(one)]);
  return Object.fromEntries(values) as Record<Named['name'], Value>;
}

const byList = <Value>(make: (list: NamedList) => Value) =>
  byName<NamedList, Value>(declared, make);

const lists = z.object(byList(preferencesOf));

/** The maximum number of days before an expiry date for which a reminder can be set. */
export const MAX_REMINDER_DAY = 30;

interface DeclaredMail {
  /** Access of the accounts that can get the notification, and have a switch for it. */
  access: Access;
  /** The description of the switch in the API documentation. */
  meaning: string;
  /** True if the email is off until an account turns it on. */
  isOff?: true;
  /** Access of the accounts that can get it as a push; without one, it is never pushed. */
  push?: Access;
}

/**
 * Notifications that can be sent by email, too, in the order of their switches. A new one needs its
 * row here, and a label and hint of its switch in four languages.
 */
const declaredMails = {
  lines_expiring: { access: ['view_users'], meaning: 'Lines of your own are about to expire' },
  address_changed: {
    access: ['view_users'],
    meaning: 'Customers of your own lines must enter another address',
  },
  renewal_asked: {
    access: ['view_users'],
    meaning: 'A customer asked for a renewal on their page',
    push: ['view_users'],
  },
  auto_renewals: {
    access: ['view_users'],
    meaning: 'Automatic renewals lack credits, or a line was not renewed',
  },
  low_balance: {
    access: 'account',
    meaning: 'Your balance fell below your limit',
    push: 'account',
  },
  credits_added: { access: 'account', meaning: 'Somebody gave you credits' },
  credits_taken_back: { access: 'account', meaning: 'Somebody took credits back from you' },
  top_ups: {
    access: 'account',
    meaning: 'News of your top-ups; for administrators of everybody’s',
    push: 'account',
  },
  message: { access: 'account', meaning: 'A message to you or everybody' },
  ticket_replies: {
    access: 'account',
    meaning: 'A reply to a ticket of yours',
    push: 'account',
  },
  new_account: {
    access: ['add_credits', 'manage_resellers'],
    meaning: 'An account was created below yours',
    isOff: true,
  },
  new_tickets: { access: 'admin', meaning: 'A new ticket; for administrators' },
  server_error: {
    access: 'admin',
    meaning: 'A card server is away; for administrators',
    push: ['view_users'],
  },
  backup_failed: { access: 'admin', meaning: 'A backup failed; for administrators' },
  contact_received: {
    access: 'admin',
    meaning: 'Somebody used the contact form; for administrators',
  },
} as const satisfies Record<string, DeclaredMail>;
export type MailedNotice = keyof typeof declaredMails;

export const mailedNotices = (Object.keys(declaredMails) as MailedNotice[]).map(
  (name): DeclaredMail & { name: MailedNotice } => ({ name, ...declaredMails[name] }),
);

const mails = z.object(byName(mailedNotices, () => yesOrNo));

const MAX_OWN_PRICES = 500;

const hour = wholeNumber(0, 23);

/** Emails that remind customers of their lines' expiry. */
const customerMails = z.object({
  /** Days before the expiry. */
  days: z
    .array(wholeNumber(0, MAX_REMINDER_DAY))
    .min(1, invalid)
    .max(6, { error: 'TOO_MANY_VALUES' }),
  /** The first quiet hour of the panel's day and the one that ends the quiet; equal ones mean no quiet. */
  hours: z.tuple([hour, hour]),
});

/** Notifications that can be pushed to browsers, too. */
export type PushedNotice = {
  [Name in MailedNotice]: (typeof declaredMails)[Name] extends { push: Access } ? Name : never;
}[MailedNotice];
export const pushedNotices = mailedNotices.flatMap(({ name, push }) =>
  push ? [name as PushedNotice] : [],
);

const named = (name: PushedNotice) => ({ name });
const pushes = z.object(byName(pushedNotices.map(named), () => yesOrNo));

export const preferences = entity('Preferences', {
  /** The chosen language; null without a choice, so that each browser's own language applies. */
  language: z.enum(languages).nullable(),
  /** True to enable the keyboard shortcuts n, / and ?. */
  shortcuts: z.boolean(),
  first_steps: z.boolean(),
  mails,
  pushes,
  reminder_days: z
    .array(wholeNumber(0, MAX_REMINDER_DAY))
    .max(6, { error: 'TOO_MANY_VALUES' })
    .refine((days) => new Set(days).size === days.length, invalid),
  low_balance: wholeNumber(1, 1_000_000_000).nullable(),
  kept_credits: wholeNumber(0, 1_000_000_000),
  name_prefix: namePrefix.nullable(),
  sale_months: months.nullable(),
  renewal_months: months.nullable(),
  currency: currencyCode.nullable(),
  credit_minor: amountMinor.nullable(),
  own_prices: z.array(ownPrice).max(MAX_OWN_PRICES, { error: 'TOO_MANY_VALUES' }),
  sale_payment: z.enum(paymentStates, invalid).nullable(),
  customer_mails: customerMails.nullable(),
  /** Preferences of each list, by its declared name. */
  lists,
});
export type Preferences = z.output<typeof preferences>;

/** The preferences of a new account. */
export const defaultPreferences: Preferences = {
  language: null,
  shortcuts: true,
  first_steps: true,
  mails: byName(mailedNotices, ({ isOff }) => !isOff),
  pushes: byName(pushedNotices.map(named), () => true),
  reminder_days: [7, 3, 1],
  low_balance: null,
  kept_credits: 0,
  name_prefix: null,
  sale_months: null,
  renewal_months: null,
  currency: null,
  credit_minor: null,
  own_prices: [],
  sale_payment: null,
  customer_mails: null,
  lists: byList(({ shownColumns }) => ({
    columns: [...shownColumns],
    density: 'comfortable',
    views: [],
  })),
};

/** Changes of preferences. Omitted fields keep their value, also those of each list, of the mails and of the pushes. */
const changes = z
  .object({
    ...preferences.shape,
    mails: mails.partial(),
    pushes: pushes.partial(),
    lists: z.object(byList(({ name }) => lists.shape[name].partial().optional())),
  })
  .partial();
export type PreferenceChanges = z.output<typeof changes>;

export const getPreferences = endpoint('getPreferences', 'GET /api/me/settings', {
  summary: 'Get your preferences',
  description: 'Returns all your preferences. Defaults are filled in.',
  access: 'account',
  output: preferences,
});

export const editPreferences = endpoint('editPreferences', 'PATCH /api/me/settings', {
  summary: 'Change your preferences',
  description: 'Changes the preferences that you send. The others do not change.',
  access: 'account',
  body: changes,
  output: preferences,
});
