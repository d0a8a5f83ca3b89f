import type { NotificationKind } from '@linekeeper/contract/notifications.ts';
import type { Generated } from 'kysely';
import type { Moment } from './column-types.ts';

export interface NotificationsTable {
  id: string;
  account_id: string;
  kind: NotificationKind;
  title: string;
  content: string;
  link: string | null;
  is_read: Generated<boolean>;
  created_at: Moment;
  said_once: string | null;
  /** null if the notification is not sent by mail. */
  mail_state: 'wanted' | 'queued' | null;
}

export interface RemindedOwnersTable {
  account_id: string;
  reminded_on: string | null;
}
