import type { Ticket } from '@linekeeper/contract/tickets/tickets.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CardLine, RowCard } from '../../shared/list/table/cards.tsx';
import { useListSearch } from '../../shared/list/use-list.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Highlight } from '../../shared/ui/highlight.tsx';
import { TimeAgo } from '../../shared/ui/time-ago.tsx';
import { Caption, Row } from '../../shared/ui/vocabulary.tsx';
import {
  Category,
  NumberAndOwner,
  PriorityBadge,
  StatusBadge,
  UnreadDot,
} from './ticket-cells.tsx';
import styles from './tickets.module.css';

/** A ticket in the list of a phone. All of it opens the ticket, where everything else is done. */
export function TicketCard({ row: ticket }: { row: Ticket }) {
  const { t } = useTranslation('tickets');
  const q = useListSearch().search.q?.trim() ?? '';
  const { id, title, assigned_to, assigned_to_name, updated_at } = ticket;
  return (
    <RowCard
      name={
        <Link
          to="/tickets/$id"
          params={{ id }}
          className={styles.opener}
          data-unread={!ticket.is_read || undefined}
        >
          <Highlight text={title} part={q} />
        </Link>
      }
      badge={<UnreadDot ticket={ticket} />}
      actions={null}
    >
      <Caption as="p" className={styles.about}>
        <NumberAndOwner ticket={ticket} />
        {' · '}
        <Category category={ticket.category} />
      </Caption>
      <CardLine>
        <Row as="span" gap={8} wrap muted caption className={styles.state}>
          <StatusBadge status={ticket.status} />
          <PriorityBadge priority={ticket.priority} />
        </Row>
        <Row as="span" gap={8} wrap muted caption className={styles.state}>
          {assigned_to_name !== null && (
            <span role="img" aria-label={t('event.assigned_to', { to: assigned_to_name })}>
              <Avatar accountId={assigned_to} name={assigned_to_name} size={24} />
            </span>
          )}
          <TimeAgo value={updated_at} />
        </Row>
      </CardLine>
    </RowCard>
  );
}
