import { countUnreadMessages, MOST_UNREAD } from '@linekeeper/contract/messages.ts';
import { countUnreadNotifications } from '@linekeeper/contract/notifications.ts';
import { callQuery } from '#platform/api/call-query.ts';

export const unreadMessagesQuery = () =>
  callQuery('messages', countUnreadMessages, { select: ({ count }) => count });

export const unreadNotificationsQuery = () =>
  callQuery('notifications', countUnreadNotifications, {
    select: ({ count }) => count,
  });

/** A number as a badge shows it: '99+' above 99. */
export function badgeText(count: number): string {
  return count > MOST_UNREAD ? `${MOST_UNREAD}+` : String(count);
}
