import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { badgeText, unreadMessagesQuery } from '#domain/messages/unread.ts';
import { ticketCountsQuery } from '#domain/tickets/tickets.ts';
import type { CountedBadge } from './navigation-items.ts';

function UnreadMessages() {
  return <Badge count={useQuery(unreadMessagesQuery()).data} />;
}

function UnreadTickets() {
  return <Badge count={useQuery(ticketCountsQuery()).data?.unread} />;
}

/** The component that counts for each badge. */
const badges = { messages: UnreadMessages, tickets: UnreadTickets } satisfies Record<
  CountedBadge,
  unknown
>;

/** The number of unread messages or tickets beside an entry of the navigation. */
export function NavBadge({ of }: { of: CountedBadge }) {
  const Counted = badges[of];
  return <Counted />;
}

function Badge({ count = 0 }: { count: number | undefined }) {
  const { t } = useTranslation();
  if (count === 0) return null;
  const text = badgeText(count);
  return (
    <span className="flex-none min-w-5 ms-auto py-0 px-1.5 rounded-[10px] bg-danger text-paper type-[700_12px/20px_var(--font)] text-center">
      <span aria-hidden="true">{text}</span>
      <span className="visually-hidden">{t('nav.unread', { text })}</span>
    </span>
  );
}
