import type { Ticket } from '@linekeeper/contract/tickets/tickets.ts';
import { LifeBuoy, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../shared/data/session.ts';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { column, type ListColumn } from '../../shared/list/columns.tsx';
import { ListPage } from '../../shared/list/list-page.tsx';
import { ListRows } from '../../shared/list/list-rows.tsx';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';
import { EmptyPanel } from '../../shared/ui/states/empty-panel.tsx';
import { TicketActions } from './ticket-actions.tsx';
import { TicketCard } from './ticket-card.tsx';
import {
  Activity,
  Assignee,
  Category,
  PriorityBadge,
  StatusBadge,
  Subject,
} from './ticket-cells.tsx';
import { tickets } from './tickets-list.ts';

/** Own tickets; for administrators everybody's. */
export function TicketsPage() {
  const { t } = useTranslation('tickets');
  const { is_admin } = useMe();
  const open = (
    <ButtonLink to="/tickets/new" variant="solid" icon={<Plus aria-hidden="true" />}>
      {t('new')}
    </ButtonLink>
  );
  return (
    <ListPage
      list={tickets}
      header={<PageHeader actions={open} />}
      firstUse={
        <EmptyPanel
          icon={<LifeBuoy />}
          title={t('first.title')}
          text={t(is_admin ? 'first.textForAdmin' : 'first.text')}
          action={!is_admin && open}
        />
      }
    >
      {(rows) => (
        <ListRows {...rows} columns={columns} Actions={TicketActions} Card={TicketCard} isTall />
      )}
    </ListPage>
  );
}

const columns: ListColumn<Ticket>[] = [
  // A title is a sentence, of which as much is read as there is room for.
  column.name('ticket', (ticket) => <Subject ticket={ticket} />, {
    width: { size: 320, min: 320, scrolled: 220 },
  }),
  column.badge('status', ({ status }) => <StatusBadge status={status} />),
  column.badge('priority', ({ priority }) => <PriorityBadge priority={priority} />, {
    sortBy: 'priority',
  }),
  column.badge('category', ({ category }) => <Category category={category} />),
  column.person('assignee', (ticket) =>
    // Nobody takes what is closed.
    ticket.status === 'closed' && ticket.assigned_to === null ? '' : <Assignee ticket={ticket} />,
  ),
  column.person('activity', (ticket) => <Activity ticket={ticket} />, { sortBy: 'updated_at' }),
];
