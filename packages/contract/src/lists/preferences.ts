import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { wholeNumber } from '../fields/fields.ts';
import { requiredName } from '../fields/names.ts';
import { languages } from '../languages.ts';
import { defaultPreferencesOf, preferencesOf } from './list.ts';
import {
  accountsList,
  activityList,
  auditList,
  contactList,
  groupsList,
  linesList,
  messagesList,
  orphansList,
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
  orphans: preferencesOf(orphansList, viewName),
  servers: preferencesOf(serversList, viewName),
  transfers: preferencesOf(transfersList, viewName),
  accounts: preferencesOf(accountsList, viewName),
  groups: preferencesOf(groupsList, viewName),
  redeem_codes: preferencesOf(redeemCodesList, viewName),
  redemptions: preferencesOf(redemptionsList, viewName),
  top_ups: preferencesOf(topUpsList, viewName),
  contact: preferencesOf(contactList, viewName),
  messages: preferencesOf(messagesList, viewName),
  tickets: preferencesOf(ticketsList, viewName),
  audit: preferencesOf(auditList, viewName),
  activity: preferencesOf(activityList, viewName),
});
export type ListName = keyof typeof lists.shape;
export const listNames = Object.keys(lists.shape) as ListName[];

/** Reminders look this many days ahead at most. */
export const MAX_REMINDER_DAY = 30;
const MOST_REMINDER_DAYS = 6;
const MAX_LOW_BALANCE = 1_000_000_000;

/** Notifications that can be sent by mail too. */
export const mailedNotices = [
  'lines_expiring',
  'address_changed',
  'low_balance',
  'server_error',
  'backup_failed',
  'new_account',
  'top_ups',
  'credits_added',
  'credits_taken_back',
  'contact_received',
  'message',
  'ticket_replies',
  'new_tickets',
] as const;
export type MailedNotice = (typeof mailedNotices)[number];

const isMailed = z.boolean({ error: 'INVALID_VALUE' });
const mails = z.object({
  lines_expiring: isMailed,
  /** Customers of the account's lines who must enter another address. */
  address_changed: isMailed,
  low_balance: isMailed,
  /** Errors of a server, for administrators. */
  server_error: isMailed,
  /** For administrators. */
  backup_failed: isMailed,
  new_account: isMailed,
  /** Events of the account's own top-ups; for administrators, of everybody's. */
  top_ups: isMailed,
  /** Credits of the account that somebody else changed. */
  credits_added: isMailed,
  credits_taken_back: isMailed,
  /** Messages of the contact form, for administrators. */
  contact_received: isMailed,
  message: isMailed,
  ticket_replies: isMailed,
  /** For administrators. */
  new_tickets: isMailed,
});

export const preferences = z
  .object({
    /** Null if never chosen; each browser's own language applies then. */
    language: z.enum(languages).nullable(),
    /** Enables the keyboard shortcuts n, / and ?. */
    shortcuts: z.boolean(),
    /** Shows the first steps on the dashboard until they are done. */
    first_steps: z.boolean(),
    /** Notifications that are sent by mail too. */
    mails,
    /**
     * Days before the expiry of a line on which its owner is reminded, 0 for the day itself; empty for no reminders.
     */
    reminder_days: z
      .array(wholeNumber(0, MAX_REMINDER_DAY))
      .max(MOST_REMINDER_DAYS, { error: 'TOO_MANY_VALUES' })
      .refine((days) => new Set(days).size === days.length, { error: 'INVALID_VALUE' }),
    /** The balance below which the account is notified once; null for never. */
    low_balance: wholeNumber(1, MAX_LOW_BALANCE).nullable(),
    /** Preferences of each list, by its declared name. */
    lists,
  })
  .meta({ id: 'Preferences' });
export type Preferences = z.output<typeof preferences>;

export const defaultPreferences: Preferences = {
  language: null,
  shortcuts: true,
  first_steps: true,
  mails: {
    lines_expiring: true,
    address_changed: true,
    low_balance: true,
    server_error: true,
    backup_failed: true,
    new_account: false,
    top_ups: true,
    credits_added: true,
    credits_taken_back: true,
    contact_received: true,
    message: true,
    ticket_replies: true,
    new_tickets: true,
  },
  reminder_days: [7, 3, 1],
  low_balance: null,
  lists: {
    lines: defaultPreferencesOf(linesList),
    sync: defaultPreferencesOf(pushesList),
    orphans: defaultPreferencesOf(orphansList),
    servers: defaultPreferencesOf(serversList),
    transfers: defaultPreferencesOf(transfersList),
    accounts: defaultPreferencesOf(accountsList),
    groups: defaultPreferencesOf(groupsList),
    redeem_codes: defaultPreferencesOf(redeemCodesList),
    redemptions: defaultPreferencesOf(redemptionsList),
    top_ups: defaultPreferencesOf(topUpsList),
    contact: defaultPreferencesOf(contactList),
    messages: defaultPreferencesOf(messagesList),
    tickets: defaultPreferencesOf(ticketsList),
    audit: defaultPreferencesOf(auditList),
    activity: defaultPreferencesOf(activityList),
  },
};

/** Fields that are left out keep their value, also those of each list and of the mails. */
const changes = z
  .object({
    ...preferences.shape,
    mails: mails.partial(),
    lists: z
      .object({
        lines: lists.shape.lines.partial(),
        sync: lists.shape.sync.partial(),
        orphans: lists.shape.orphans.partial(),
        servers: lists.shape.servers.partial(),
        transfers: lists.shape.transfers.partial(),
        accounts: lists.shape.accounts.partial(),
        groups: lists.shape.groups.partial(),
        redeem_codes: lists.shape.redeem_codes.partial(),
        redemptions: lists.shape.redemptions.partial(),
        top_ups: lists.shape.top_ups.partial(),
        contact: lists.shape.contact.partial(),
        messages: lists.shape.messages.partial(),
        tickets: lists.shape.tickets.partial(),
        audit: lists.shape.audit.partial(),
        activity: lists.shape.activity.partial(),
      })
      .partial(),
  })
  .partial();
export type PreferenceChanges = z.output<typeof changes>;

export const getPreferences = endpoint({
  name: 'getPreferences',
  method: 'GET',
  path: '/api/me/settings',
  summary: 'Get your preferences',
  description: 'Defaults are filled in.',
  access: 'account',
  output: preferences,
});

export const editPreferences = endpoint({
  name: 'editPreferences',
  method: 'PATCH',
  path: '/api/me/settings',
  summary: 'Change your preferences',
  description: 'Fields that you leave out do not change.',
  access: 'account',
  body: changes,
  output: preferences,
});
