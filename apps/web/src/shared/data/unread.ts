import { countUnreadMessages, MOST_UNREAD } from '@linekeeper/contract/messages.ts';
import { countUnreadNotifications } from '@linekeeper/contract/notifications.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

/** Their keys begin with what a live change makes stale. */
export function unreadMessagesQuery() {
  return queryOptions({
    queryKey: ['messages', 'unread'],
    meta: { isKept: true },
    queryFn: async ({ signal }) => (await call(countUnreadMessages, {}, { signal })).count,
  });
}

export function unreadNotificationsQuery() {
  return queryOptions({
    queryKey: ['notifications', 'unread'],
    meta: { isKept: true },
    queryFn: async ({ signal }) => (await call(countUnreadNotifications, {}, { signal })).count,
  });
}

/** A number as a badge shows it: '99+' above 99. */
export function badgeText(count: number): string {
  return count > MOST_UNREAD ? `${MOST_UNREAD}+` : String(count);
}
