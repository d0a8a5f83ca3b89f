import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { requiredName } from '../fields/names.ts';
import { languages } from '../languages.ts';
import { defaultPreferencesOf, preferencesOf } from './list.ts';
import {
  accountsList,
  auditList,
  groupsList,
  linesList,
  pushesList,
  redeemCodesList,
  redemptionsList,
  serversList,
  ticketsList,
  topUpsList,
  transfersList,
} from './lists.ts';

export const viewName = requiredName('REQUIRED', 40);

const lists = z.object({
  lines: preferencesOf(linesList, viewName),
  sync: preferencesOf(pushesList, viewName),
  servers: preferencesOf(serversList, viewName),
  transfers: preferencesOf(transfersList, viewName),
  accounts: preferencesOf(accountsList, viewName),
  groups: preferencesOf(groupsList, viewName),
  redeem_codes: preferencesOf(redeemCodesList, viewName),
  redemptions: preferencesOf(redemptionsList, viewName),
  top_ups: preferencesOf(topUpsList, viewName),
  tickets: preferencesOf(ticketsList, viewName),
  audit: preferencesOf(auditList, viewName),
});
export type ListName = keyof typeof lists.shape;
export const listNames = Object.keys(lists.shape) as ListName[];

/** Reminders look this many days ahead at most. */
export const MAX_REMINDER_DAY = 30;
const MOST_REMINDER_DAYS = 5;
const MAX_LOW_BALANCE = 1_000_000_000;

/** Notifications that can be sent by mail too. */
export const mailedNotices = [
  'lines_expiring',
  'low_balance',
  'server_error',
  'new_account',
  'top_ups',
  'ticket_replies',
  'new_tickets',
] as const;
export type MailedNotice = (typeof mailedNotices)[number];

const isMailed = z.boolean({ error: 'INVALID_VALUE' });
const mails = z.object({
  lines_expiring: isMailed,
  low_balance: isMailed,
  /** For administrators. */
  server_error: isMailed,
  new_account: isMailed,
  /** All that is said of one's own top-ups; for administrators of everybody's. */
  top_ups: isMailed,
  ticket_replies: isMailed,
  /** For administrators. */
  new_tickets: isMailed,
});

export const preferences = z
  .object({
    /** null if never chosen; then each browser's own language applies. */
    language: z.enum(languages).nullable(),
    /** Enables the keyboard shortcuts n, / and ?. */
    shortcuts: z.boolean(),
    /** Which notifications are sent by mail too. */
    mails,
    /** Days before the expiry of a line on which its owner is reminded; none for no reminders. */
    reminder_days: z
      .array(
        z
          .int({ error: 'INVALID_VALUE' })
          .min(1, { error: 'INVALID_VALUE' })
          .max(MAX_REMINDER_DAY, { error: 'INVALID_VALUE' }),
      )
      .max(MOST_REMINDER_DAYS, { error: 'TOO_MANY_VALUES' })
      .refine((days) => new Set(days).size === days.length, { error: 'INVALID_VALUE' }),
    /** The account is told once when its balance falls below; null for never. */
    low_balance: z
      .int({ error: 'INVALID_VALUE' })
      .min(1, { error: 'INVALID_VALUE' })
      .max(MAX_LOW_BALANCE, { error: 'INVALID_VALUE' })
      .nullable(),
    /** Preferences of each list, by its declared name. */
    lists,
  })
  .meta({ id: 'Preferences' });
export type Preferences = z.output<typeof preferences>;

export const defaultPreferences: Preferences = {
  language: null,
  shortcuts: true,
  mails: {
    lines_expiring: true,
    low_balance: true,
    server_error: true,
    new_account: false,
    top_ups: true,
    ticket_replies: true,
    new_tickets: true,
  },
  reminder_days: [7, 3, 1],
  low_balance: null,
  lists: {
    lines: defaultPreferencesOf(linesList),
    sync: defaultPreferencesOf(pushesList),
    servers: defaultPreferencesOf(serversList),
    transfers: defaultPreferencesOf(transfersList),
    accounts: defaultPreferencesOf(accountsList),
    groups: defaultPreferencesOf(groupsList),
    redeem_codes: defaultPreferencesOf(redeemCodesList),
    redemptions: defaultPreferencesOf(redemptionsList),
    top_ups: defaultPreferencesOf(topUpsList),
    tickets: defaultPreferencesOf(ticketsList),
    audit: defaultPreferencesOf(auditList),
  },
};

/** Of each list and of the mails, too, what is left out stays. */
const changes = z
  .object({
    ...preferences.shape,
    mails: mails.partial(),
    lists: z
      .object({
        lines: lists.shape.lines.partial(),
        sync: lists.shape.sync.partial(),
        servers: lists.shape.servers.partial(),
        transfers: lists.shape.transfers.partial(),
        accounts: lists.shape.accounts.partial(),
        groups: lists.shape.groups.partial(),
        redeem_codes: lists.shape.redeem_codes.partial(),
        redemptions: lists.shape.redemptions.partial(),
        top_ups: lists.shape.top_ups.partial(),
        tickets: lists.shape.tickets.partial(),
        audit: lists.shape.audit.partial(),
      })
      .partial(),
  })
  .partial();
export type PreferenceChanges = z.output<typeof changes>;

export const getPreferences = endpoint({
  name: 'getPreferences',
  method: 'GET',
  path: '/api/me/settings',
  summary: 'Preferences of the account, with defaults for what it has not chosen',
  access: 'account',
  output: preferences,
});

export const editPreferences = endpoint({
  name: 'editPreferences',
  method: 'PATCH',
  path: '/api/me/settings',
  summary: 'Change preferences; what is left out stays',
  access: 'account',
  body: changes,
  output: preferences,
});
