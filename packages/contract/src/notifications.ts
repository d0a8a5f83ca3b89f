import * as z from 'zod';
import { done, endpoint, entity, listQuery, ofRecord, page } from './endpoint.ts';
import { moment } from './fields/fields.ts';
import { unreadCount } from './messages.ts';

export const notificationKinds = [
  'order-placed',
  'friend-interactive',
  'chat-message',
  'mail',
  'message',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** Length at which a message's content is cut; the bell shows even less. */
export const MAX_NOTIFICATION_CONTENT = 200;

/** An entry of the bell: a notification, or a message with its own id. */
export const notification = entity('Notification', {
  id: z.string(),
  kind: z.enum(notificationKinds),
  title: z.string(),
  content: z.string(),
  link: z.string().nullable(),
  is_read: z.boolean(),
  created_at: moment,
});
export type Notification = z.output<typeof notification>;

export const listNotifications = endpoint('listNotifications', 'GET /api/notifications', {
  summary: 'List your notifications',
  description:
    'Lists notifications together with messages to you, newest first. There is no total.',
  access: 'account',
  query: listQuery(['created_at'], '-created_at', {}).omit({ q: true, sort: true }),
  output: page(notification),
});

export const countUnreadNotifications = endpoint(
  'countUnreadNotifications',
  'GET /api/notifications/unread-count',
  {
    summary: 'Count your unread notifications',
    description: 'Counts up to 100.',
    access: 'account',
    output: unreadCount,
  },
);

export const readNotification = endpoint('readNotification', 'POST /api/notifications/{id}/read', {
  ...ofRecord('account', 'NOTIFICATION_NOT_FOUND'),
  summary: 'Mark a notification or a message as read',
  description: 'Marks the one that has this id as read, for your account only.',
  output: done,
});

export const readAllNotifications = endpoint(
  'readAllNotifications',
  'POST /api/notifications/read-all',
  {
    summary: 'Mark all your notifications and messages as read',
    description: 'Marks everything that `listNotifications` lists as read.',
    access: 'account',
    output: done,
  },
);
