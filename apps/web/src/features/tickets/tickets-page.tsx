import { ticketsList } from '@linekeeper/contract/lists/lists.ts';
import { listTickets, type Ticket } from '@linekeeper/contract/tickets/tickets.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LifeBuoy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useAccountFilter } from '#domain/accounts/use-account-filter.tsx';
import { ticketCountsQuery } from '#domain/tickets/tickets.ts';
import { column, forAdmins, type ListColumn } from '#kit/list/columns.tsx';
import { defineList } from '#kit/list/define-list.ts';
import { ListPage } from '#kit/list/list-page.tsx';
import { CardLine, RowCard } from '#kit/list/table/cards.tsx';
import { type FilterLook, useListSearch } from '#kit/list/use-list.ts';
import { Avatar } from '#kit/ui/avatar.tsx';
import { AddLink } from '#kit/ui/buttons/button-link.tsx';
import { Highlight } from '#kit/ui/highlight.tsx';
import { TimeAgo } from '#kit/ui/timestamp.tsx';
import { useMe } from '#platform/data/session.ts';
import { TicketActions } from './ticket-actions.tsx';
import {
  Activity,
  Assignee,
  Category,
  NumberAndOwner,
  PriorityBadge,
  StatusBadge,
  Subject,
  UnreadDot,
} from './ticket-cells.tsx';

export function TicketsPage() {
  const { t } = useTranslation('tickets');
  const { is_admin } = useMe();
  return (
    <ListPage
      list={tickets}
      add={<AddLink to="/tickets/new">{t('nav.newTicket')}</AddLink>}
      firstUse={{
        icon: <LifeBuoy />,
        title: t('first.title'),
        ...(is_admin ? { action: null } : {}),
      }}
      columns={columns}
      Actions={TicketActions}
      Card={TicketCard}
      isTall
    />
  );
}

const columns: ListColumn<Ticket>[] = [
  // The column is wide, because a title is a sentence.
  column.name('ticket', (ticket) => <Subject ticket={ticket} />, {
    width: { size: 320, min: 320, scrolled: 220 },
  }),
  column.badge('status', ({ status }) => <StatusBadge status={status} />),
  column.badge('priority', ({ priority }) => <PriorityBadge priority={priority} />, {
    sortBy: 'priority',
  }),
  column.badge('category', ({ category }) => <Category category={category} />),
  column.person('assignee', (ticket) =>
    // A closed ticket needs no assignee.
    ticket.status === 'closed' && ticket.assigned_to === null ? '' : <Assignee ticket={ticket} />,
  ),
  column.person('activity', (ticket) => <Activity ticket={ticket} />, { sortBy: 'updated_at' }),
];

function useFilters() {
  const { t } = useTranslation('tickets');
  const named = (name: string): FilterLook => ({ name, valueText: () => name });
  return {
    assignee: useAccountFilter('assignee', t('columns.assignee'), 'admin'),
    account: useAccountFilter('account', t('field.account'), 'admin'),
    // These filters are set by views.
    unread: named(t('field.unread')),
    mine: named(t('views.mine')),
    assigned: named(t('views.unassigned')),
  };
}

/** The counts of views. Owners have no views of assigned tickets, so these have neither counts nor tabs. */
function useViewCounts(): Record<string, number> | undefined {
  const { is_admin } = useMe();
  const { data } = useQuery(ticketCountsQuery());
  if (!data) return undefined;
  const { assigned_to_me, unassigned, ...counts } = data;
  return is_admin ? { ...counts, mine: assigned_to_me, unassigned } : counts;
}

export const tickets = defineList(ticketsList, {
  path: '/tickets',
  queryKey: ['tickets', 'list'],
  endpoint: listTickets,
  texts: 'tickets',
  useFilters,
  hides: forAdmins('assignee'),
  viewTones: { unread: 'error', unassigned: 'warning' },
  viewsIfAny: ['mine', 'unassigned'],
  useViewCounts,
});

/** A ticket in the list of a phone. The whole card opens the ticket, where all actions are. */
function TicketCard({ row: ticket }: { row: Ticket }) {
  const { t } = useTranslation('tickets');
  const q = useListSearch().search.q?.trim() ?? '';
  const { id, title, assigned_to, assigned_to_name, updated_at } = ticket;
  return (
    <RowCard
      name={
        <Link
          to="/tickets/$id"
          params={{ id }}
          className="covers font-medium data-unread:font-semibold"
          data-unread={!ticket.is_read || undefined}
        >
          <Highlight text={title} part={q} />
        </Link>
      }
      badge={<UnreadDot ticket={ticket} />}
      actions={null}
    >
      <p className="mb-1 text-text-2 type-caption min-w-0 wrap-anywhere">
        <NumberAndOwner ticket={ticket} />
        {' · '}
        <Category category={ticket.category} />
      </p>
      <CardLine>
        <span className="flex items-center flex-wrap gap-2 text-text-2 type-caption min-w-0 wrap-anywhere">
          <StatusBadge status={ticket.status} />
          <PriorityBadge priority={ticket.priority} />
        </span>
        <span className="flex items-center flex-wrap gap-2 text-text-2 type-caption min-w-0 wrap-anywhere">
          {assigned_to_name !== null && (
            <span role="img" aria-label={t('event.assigned_to', { to: assigned_to_name })}>
              <Avatar accountId={assigned_to} name={assigned_to_name} size={24} />
            </span>
          )}
          <TimeAgo value={updated_at} />
        </span>
      </CardLine>
    </RowCard>
  );
}
