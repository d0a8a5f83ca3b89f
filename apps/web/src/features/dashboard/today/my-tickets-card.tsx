import { ticketsList } from '@linekeeper/contract/lists/lists.ts';
import { listTickets, type Ticket } from '@linekeeper/contract/tickets/tickets.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import dashboardStyles from '#features/dashboard/dashboard.module.css';
import { Card } from '#kit/ui/card.tsx';
import { TimeAgo } from '#kit/ui/timestamp.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { Divided, Row, Stack } from '#kit/ui/vocabulary.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import styles from './today.module.css';

const SHOWN = 3;
const open = ticketsList.views.active;

/** The newest of the account's tickets that are not closed. Unread ones need attention, and are said there. */
export function MyTicketsCard() {
  const { t } = useTranslation('dashboard');
  const { data } = useQuery(
    callQuery('tickets', listTickets, { query: { ...open, limit: 2 * SHOWN } }),
  );
  const read = (data?.items ?? []).filter(({ is_read }) => is_read).slice(0, SHOWN);
  if (!data || read.length === 0) return null;
  return (
    <Card
      flush
      className={dashboardStyles.listed}
      aria-label={t('today.tickets')}
      title={t('today.tickets')}
      action={
        <Link to="/tickets" search={open} className={dashboardStyles.link}>
          {t('today.allTickets', { shown: data.total })}
        </Link>
      }
    >
      <Divided className={dashboardStyles.list}>
        {read.map((ticket) => (
          <TicketRow key={ticket.id} ticket={ticket} />
        ))}
      </Divided>
    </Card>
  );
}

function TicketRow({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation('dashboard');
  const { id, number, title, replies, last_writer_name, last_writer_is_owner } = ticket;
  const isAnswer = replies > 0 && !last_writer_is_owner;
  return (
    <Row as="li" gap={12} className={styles.ticket}>
      <Stack as="span" grow wraps>
        <Link to="/tickets/$id" params={{ id }}>
          <TypedText>{title}</TypedText>
        </Link>
        <small>
          #{number} ·{' '}
          {isAnswer ? t('today.answered', { name: last_writer_name }) : t('today.wrote')}
          {' · '}
          <TimeAgo value={ticket.updated_at} />
        </small>
      </Stack>
    </Row>
  );
}
