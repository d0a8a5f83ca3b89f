import { listNotifications } from '@linekeeper/contract/notifications.ts';
import { callQuery } from '#platform/api/call-query.ts';

export const SHOWN_IN_BELL = 20;
const SHOWN_LETTERS = 60;

export const notificationsQuery = () =>
  callQuery('notifications', listNotifications, {
    query: { limit: SHOWN_IN_BELL },
    select: ({ items }) => items,
  });

/** The content as the bell shows it: 60 characters, and an ellipsis where there is more. */
export function cutContent(content: string): string {
  const letters = [...new Intl.Segmenter().segment(content.replace(/\s+/g, ' ').trim())];
  if (letters.length <= SHOWN_LETTERS) return letters.map(({ segment }) => segment).join('');
  const shown = letters.slice(0, SHOWN_LETTERS).map(({ segment }) => segment);
  return `${shown.join('').trimEnd()}…`;
}
