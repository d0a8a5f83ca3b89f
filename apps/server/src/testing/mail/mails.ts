import { sql } from 'kysely';

/** SQL condition: the notification's mail waits in the outbox. */
export const isMailWaiting = sql<boolean>`exists (
  select from mails where mail ->> 'notification_id' = notifications.id::text)`;
