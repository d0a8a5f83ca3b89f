import * as z from 'zod';
import { done, endpoint, entity, ofRecord } from './endpoint.ts';
import { email, invalid, moment, optionalText, requiredText, yesOrNo } from './fields/fields.ts';
import { requiredName } from './fields/names.ts';
import { languages } from './languages.ts';
import { listOf } from './lists/list.ts';
import { contactList, contactStatuses } from './lists/lists.ts';

export type ContactStatus = (typeof contactStatuses)[number];

const MAX_MESSAGE_LENGTH = 5000;

/** A message from the contact form, with the reply once there is one. */
const contactMessage = entity('ContactMessage', {
  id: z.string(),
  name: z.string(),
  email: z.string(),
  subject: z.string(),
  message: z.string(),
  /** The account that was signed in when the message was sent; null for visitors. */
  account_id: z.string().nullable(),
  account_email: z.string().nullable(),
  status: z.enum(contactStatuses),
  created_at: moment,
  answer: z.string().nullable(),
  answered_at: moment.nullable(),
  /** The email of the administrator who replied; null without a reply. */
  answered_by: z.string().nullable(),
  /** False if the panel sends no email, so that the sender has not received the reply. */
  answer_is_mailed: z.boolean(),
});
export type ContactMessage = z.output<typeof contactMessage>;

export const sendContact = endpoint('sendContact', 'POST /api/contact', {
  summary: 'Write to the administrators',
  description:
    'Sends a message, with or without a sign-in. A message from an account becomes a ticket. `language` is the language of the reply by email. Leave `homepage` empty: it catches programs that fill in every field.',
  access: 'public',
  body: z.object({
    name: requiredName(100),
    email,
    subject: requiredName(150),
    message: requiredText(MAX_MESSAGE_LENGTH),
    language: z.enum(languages, invalid).optional(),
    homepage: optionalText(500),
  }),
  output: done.extend({
    ticket: z.object({ id: z.string(), number: z.number().int() }).nullable(),
  }),
  errors: ['TOO_MANY_ATTEMPTS'],
});

export const listContact = endpoint('listContact', 'GET /api/contact', {
  summary: 'List contact messages',
  description:
    'Lists messages without spam, unless you filter for that status. `q` searches name, address, subject and message.',
  access: 'admin',
  ...listOf(contactList, contactMessage),
});

export const editContact = endpoint('editContact', 'PATCH /api/contact/{id}', {
  ...ofRecord('admin', 'CONTACT_NOT_FOUND'),
  summary: 'Reply to, close or reopen a contact message',
  description:
    'Changes the status or sends a reply. A message can be replied to once. The reply is kept, and emailed to the sender if mail is set up.',
  body: z.object({
    answer: requiredText(MAX_MESSAGE_LENGTH).optional(),
    closed: yesOrNo.optional(),
  }),
  output: z.object({ contact: contactMessage }),
  errors: ['CONTACT_ANSWERED'],
});
