import type { Ticket } from '@linekeeper/contract/tickets/tickets.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { TwoLines } from '#kit/list/two-line-cell.tsx';
import { useListSearch } from '#kit/list/use-list.ts';
import { Avatar } from '#kit/ui/avatar.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Highlight } from '#kit/ui/highlight.tsx';
import { TimeAgo } from '#kit/ui/timestamp.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useMe } from '#platform/data/session.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { useChange } from './queries.ts';
import { priorityLooks, statusTones, ticketNumber } from './ticket-looks.ts';

interface TicketProps {
  ticket: Ticket;
}

/** Title, number and, for administrators, owner of a ticket. A dot marks new entries. */
export function Subject({ ticket }: TicketProps) {
  const q = useListSearch().search.q?.trim() ?? '';
  return (
    <span className="flex items-center gap-3 min-w-0 wrap-anywhere [&_a]:font-medium [&_a[data-unread]]:font-semibold">
      <UnreadDot ticket={ticket} />
      <TwoLines
        isUnread={!ticket.is_read}
        first={
          <Link to="/tickets/$id" params={{ id: ticket.id }} title={isolate(ticket.title)}>
            <Highlight text={ticket.title} part={q} />
          </Link>
        }
        second={
          <small>
            <NumberAndOwner ticket={ticket} />
          </small>
        }
      />
    </span>
  );
}

/** The dot of an unread ticket. For a read ticket its place stays empty, so that titles are aligned. */
export function UnreadDot({ ticket: { is_read } }: TicketProps) {
  const { t } = useTranslation('tickets');
  return (
    <span
      className="flex-none w-2 h-2 rounded-[50%] data-on:bg-primary"
      data-on={!is_read || undefined}
      title={is_read ? undefined : t('field.unread')}
    >
      {!is_read && <span className="visually-hidden">{t('field.unread')}</span>}
    </span>
  );
}

export function NumberAndOwner({ ticket }: TicketProps) {
  const { is_admin } = useMe();
  return (
    <>
      {ticketNumber(ticket)}
      {is_admin && (
        <>
          {' · '}
          <TypedText>{ticket.user_name}</TypedText>
        </>
      )}
    </>
  );
}

export function StatusBadge({ status }: Pick<Ticket, 'status'>) {
  const { t } = useTranslation('tickets');
  return <Badge tone={statusTones[status]}>{t(`status.${status}`)}</Badge>;
}

export function PriorityBadge({ priority }: Pick<Ticket, 'priority'>) {
  const { t } = useTranslation('tickets');
  const { tone, Icon } = priorityLooks[priority];
  if (tone === 'neutral') return <>{t(`priority.${priority}`)}</>;
  return (
    <Badge tone={tone} icon={<Icon />}>
      {t(`priority.${priority}`)}
    </Badge>
  );
}

export function Category({ category }: Pick<Ticket, 'category'>) {
  return <>{useTranslation('tickets').t(`category.${category}`)}</>;
}

/** The administrator who handles the ticket, or a button to take it. */
export function Assignee({ ticket }: TicketProps) {
  const { t } = useTranslation('tickets');
  const { id } = useMe();
  const { change, isPending } = useChange(ticket);
  const number = ticketNumber(ticket);
  if (ticket.assigned_to_name !== null) {
    return (
      <span className="flex items-center gap-2 min-w-0 wrap-anywhere">
        <Avatar accountId={ticket.assigned_to} name={ticket.assigned_to_name} size={24} />
        <span className="truncate" title={isolate(ticket.assigned_to_name)}>
          <TypedText>{ticket.assigned_to_name}</TypedText>
        </span>
      </span>
    );
  }
  return (
    <span className="-ms-2">
      <Button
        variant="text"
        size="small"
        pending={isPending}
        aria-label={t('takeOf', { number })}
        onClick={() => change({ assigned_to: id }, t('taken', { number }))}
      >
        {t('take')}
      </Button>
    </span>
  );
}

export function Activity({ ticket }: TicketProps) {
  const { t } = useTranslation('tickets');
  const name = ticket.last_writer_name;
  const isAnswer = ticket.replies > 0 && !ticket.last_writer_is_owner;
  const text = t(isAnswer ? 'answered' : 'wrote', { name });
  return (
    <TwoLines
      isUnread={!ticket.is_read}
      first={
        <span>
          <TimeAgo value={ticket.updated_at} />
        </span>
      }
      second={<small title={text}>{text}</small>}
    />
  );
}
