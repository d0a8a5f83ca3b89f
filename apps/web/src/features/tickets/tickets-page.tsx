import type { Ticket } from '@linekeeper/contract/tickets/tickets.ts';
import { LifeBuoy, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../shared/data/session.ts';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { ListCard } from '../../shared/list/list-body.tsx';
import { ListRows } from '../../shared/list/list-rows.tsx';
import { ListToolbar } from '../../shared/list/list-toolbar.tsx';
import { PagedList } from '../../shared/list/paged-list.tsx';
import type { SizedColumn } from '../../shared/list/table/column.ts';
import { ListProvider } from '../../shared/list/use-list.ts';
import { ViewTabs } from '../../shared/list/views/view-tabs.tsx';
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
import { tickets } from './tickets-list.tsx';

/** Own tickets; for administrators everybody's. */
export function TicketsPage() {
  const { t } = useTranslation('tickets');
  const { is_admin } = useMe();
  const columns = useColumns();
  const open = (
    <ButtonLink to="/tickets/new" variant="solid" icon={<Plus aria-hidden="true" />}>
      {t('new')}
    </ButtonLink>
  );
  return (
    <ListProvider value={tickets}>
      <PageHeader actions={open} />
      <ListCard label={t('title')} hasCards>
        <ViewTabs />
        <PagedList
          list={tickets}
          toolbar={<ListToolbar />}
          firstUse={
            <EmptyPanel
              icon={<LifeBuoy />}
              title={t('first.title')}
              text={t(is_admin ? 'first.textForAdmin' : 'first.text')}
              action={!is_admin && open}
            />
          }
        >
          {(rows) => <ListRows {...rows} columns={columns} Card={TicketCard} isTall />}
        </PagedList>
      </ListCard>
    </ListProvider>
  );
}

function useColumns(): SizedColumn<Ticket>[] {
  const { t } = useTranslation('tickets');
  const { is_admin } = useMe();
  const assignee: SizedColumn<Ticket> = {
    id: 'assignee',
    title: t('columns.assignee'),
    // Nobody takes what is closed.
    cell: (ticket) =>
      ticket.status === 'closed' && ticket.assigned_to === null ? '' : <Assignee ticket={ticket} />,
    size: 150,
    minSize: 126,
    maxSize: 200,
  };
  return [
    {
      id: 'ticket',
      kind: 'name',
      title: t('columns.ticket'),
      cell: (ticket) => <Subject ticket={ticket} />,
      size: 320,
      scrolledSize: 220,
    },
    {
      id: 'status',
      title: t('field.status'),
      cell: (ticket) => <StatusBadge status={ticket.status} />,
      size: 132,
      minSize: 116,
    },
    {
      id: 'priority',
      title: t('columns.priority'),
      sortBy: 'priority',
      cell: (ticket) => <PriorityBadge priority={ticket.priority} />,
      size: 120,
      minSize: 110,
    },
    {
      id: 'category',
      title: t('columns.category'),
      cell: (ticket) => <Category category={ticket.category} />,
      size: 116,
      minSize: 96,
    },
    ...(is_admin ? [assignee] : []),
    {
      id: 'activity',
      title: t('columns.activity'),
      sortBy: 'updated_at',
      cell: (ticket) => <Activity ticket={ticket} />,
      size: 180,
      minSize: 160,
      maxSize: 220,
    },
    {
      id: 'actions',
      kind: 'actions',
      title: t('list.actions'),
      cell: (ticket) => <TicketActions ticket={ticket} />,
      size: 64,
    },
  ];
}
