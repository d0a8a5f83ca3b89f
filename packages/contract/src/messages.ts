import * as z from 'zod';
import { creation, done, endpoint, entity, ofRecord } from './endpoint.ts';
import { expiry } from './fields/expiry.ts';
import { moment, requiredText, serverId, userId, yesOrNo } from './fields/fields.ts';
import { listOf } from './lists/list.ts';
import { messageStates, messagesList } from './lists/lists.ts';

export type MessageState = (typeof messageStates)[number];

export const MAX_MESSAGE_TITLE = 120;
export const MAX_MESSAGE_LENGTH = 20_000;

/** The highest number in a badge; above it, badges say "99+". */
export const MOST_UNREAD = 99;

/**
 * A message to everyone, to one account or to the accounts with lines on a server. `is_read` is
 * true if the reader has read it.
 */
export const message = entity('Message', {
  id: z.string(),
  title: z.string(),
  content: z.string(),
  is_global: z.boolean(),
  recipient_id: z.string().nullable(),
  /** The receiver, for administrators, who also see messages to others. */
  recipient_name: z.string().nullable(),
  /** The server of a message to the accounts with lines on it, and the server's name at that time. */
  server_id: z.string().nullable(),
  server_name: z.string().nullable(),
  created_by: z.string(),
  /** The name of the author; null if the author has none, unless the reader is an administrator. */
  author_name: z.string().nullable(),
  is_read: z.boolean(),
  state: z.enum(messageStates),
  /** The moment from which on the message is shown, or was shown. */
  publish_at: moment,
  expires_at: moment.nullable(),
  created_at: moment,
});
export type Message = z.output<typeof message>;

/** A message with the number of its readers and of those who have read it; both are null except for its author. */
const messageDetails = entity('MessageDetails', {
  ...message.shape,
  read_count: z.number().int().nullable(),
  reader_count: z.number().int().nullable(),
});
export type MessageDetails = z.output<typeof messageDetails>;

/** The number of unread messages; 100 means more than 99. */
export const unreadCount = z.object({
  count: z
    .number()
    .int()
    .max(MOST_UNREAD + 1),
});

const text = {
  title: requiredText(MAX_MESSAGE_TITLE),
  content: requiredText(MAX_MESSAGE_LENGTH),
};
const ofLanguage = z.object(text);

const toReader = { access: 'account', signedOutCode: 'USER_NOT_AUTHENTICATED' } as const;
const ofMessage = { ...toReader, ...ofRecord('account', 'MESSAGE_NOT_FOUND') } as const;

export const listMessages = endpoint('listMessages', 'GET /api/messages', {
  ...toReader,
  summary: 'List messages',
  description:
    'Lists messages to everyone and to you. Administrators get all messages. `q` searches title and content. By default, only published messages are listed; other states are for administrators.',
  ...listOf(messagesList, message),
});

export const createMessage = endpoint('createMessage', 'POST /api/messages', {
  ...toReader,
  ...creation,
  summary: 'Send a message',
  description:
    'Sends a message to everyone, to `recipient_id`, or to the accounts that have lines on `server_id` when it is published. A `publish_at` in the future schedules it. If `expires_at` is a day, the message is shown through that day.',
  access: 'admin',
  forbiddenCode: 'ONLY_ADMINS_CREATE_MESSAGES',
  body: z.object({
    ...text,
    is_global: yesOrNo,
    recipient_id: userId.nullish(),
    server_id: serverId.nullish(),
    texts: z
      .strictObject({ en: ofLanguage, de: ofLanguage, pl: ofLanguage, pt: ofLanguage })
      .partial()
      .nullish(),
    publish_at: expiry.nullish(),
    expires_at: expiry.nullish(),
  }),
  output: z.object({ message: messageDetails }),
  errors: ['USER_NOT_FOUND', 'SERVER_NOT_FOUND', 'RECIPIENT_NEEDED', 'ENDS_BEFORE_IT_BEGINS'],
});

export const getMessage = endpoint('getMessage', 'GET /api/messages/{id}', {
  ...ofMessage,
  summary: 'Get a message',
  description: 'Returns a message that you can see. Its author also gets the number of readers.',
  output: z.object({ message: messageDetails }),
});

export const deleteMessage = endpoint('deleteMessage', 'DELETE /api/messages/{id}', {
  ...ofMessage,
  summary: 'Delete a message',
  description: 'Deletes the message for everyone.',
  access: 'admin',
  output: done,
});

export const readMessage = endpoint('readMessage', 'POST /api/messages/{id}/read', {
  ...ofMessage,
  summary: 'Mark a message as read',
  description: 'Marks the message as read for your account only.',
  output: done,
});

export const readAllMessages = endpoint('readAllMessages', 'POST /api/messages/read-all', {
  ...toReader,
  summary: 'Mark all your messages as read',
  description: 'Marks every message that you can see as read, for your account only.',
  output: done,
});

export const countUnreadMessages = endpoint(
  'countUnreadMessages',
  'GET /api/messages/unread-count',
  {
    ...toReader,
    summary: 'Count your unread messages',
    description: 'Counts up to 100.',
    output: unreadCount,
  },
);
