import * as z from 'zod';
import { done, endpoint } from '../endpoint.ts';
import { invalid, moment } from '../fields/fields.ts';
import { ofLine } from './lines.ts';

/** Ways in which a seller sends a reminder to a customer. */
export const reminderWays = ['whatsapp', 'telegram', 'sms', 'share'] as const;
export type ReminderWay = (typeof reminderWays)[number];

/** Reasons why an email was not sent. */
export const unsentReasons = ['refused', 'limit', 'not_due'] as const;

const sent = {
  way: z.enum([...reminderWays, 'mail']),
  sent_at: moment,
};

/** Emails to customers per account in 24 hours. */
export const MOST_CUSTOMER_MAILS = 1000;

export const listReminders = endpoint('listReminders', 'GET /api/reminders', {
  summary: 'List which customers were reminded',
  description:
    'Lists the last reminder of each line that you can see, if the line expires within 30 days and was not renewed since.',
  access: ['view_users'],
  output: z.object({ items: z.array(z.object({ line_id: z.string(), ...sent })) }),
});

export const lineReminders = endpoint('lineReminders', 'GET /api/lines/{id}/reminders', {
  ...ofLine,
  summary: "List the reminders to a line's customer",
  description: 'Lists the last 50 reminders, newest first.',
  output: z.object({
    items: z.array(
      z.object({
        ...sent,
        expiry_date: z.string(),
        /** Days before the expiry date for which an email was sent; null for a reminder that the seller sent. */
        day: z.number().int().nullable(),
        /** The reason why the email was not sent; null if it was. */
        reason: z.enum(unsentReasons).nullable(),
      }),
    ),
    is_stopped: z.boolean(),
  }),
});

export const markReminded = endpoint('markReminded', 'POST /api/lines/{id}/reminders', {
  ...ofLine,
  summary: 'Note that you reminded a customer',
  description: 'Stores the moment and the way. Sends nothing.',
  body: z.object({ way: z.enum(reminderWays, invalid) }),
  output: done,
});
