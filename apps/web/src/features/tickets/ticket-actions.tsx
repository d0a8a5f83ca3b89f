import type { Ticket } from '@linekeeper/contract/tickets/tickets.ts';
import { CircleCheck, RotateCcw, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { RowMenu } from '#kit/list/row-actions.tsx';
import { useMe } from '#platform/data/session.ts';
import { DeleteTicketDialog } from './delete-ticket-dialog.tsx';
import { useChange } from './queries.ts';
import { ticketNumber } from './ticket-looks.ts';

/**
 * The command that closes a ticket or reopens it, also for its owner. In the list its result appears in the header, and
 * in the conversation as a new line.
 */
export function useStatusToggle(ticket: Ticket, place: 'list' | 'conversation') {
  const { t } = useTranslation('tickets');
  const { change, isPending } = useChange(ticket);
  const act = ticket.status === 'closed' ? ('reopen' as const) : ('close' as const);
  const status = act === 'reopen' ? ('open' as const) : ('closed' as const);
  const done = t(`${act}.done`, { number: ticketNumber(ticket) });
  return {
    text: t(`${act}.action`),
    Icon: act === 'reopen' ? RotateCcw : CircleCheck,
    toggle: () => change({ status }, place === 'list' ? done : undefined),
    isPending,
  };
}

export function TicketActions({ row: ticket }: { row: Ticket }) {
  const { t } = useTranslation('tickets');
  const { is_admin } = useMe();
  const { text, Icon, toggle } = useStatusToggle(ticket, 'list');
  return (
    <RowMenu
      row={ticket}
      label={t('moreOf', { name: ticketNumber(ticket) })}
      entries={[
        { name: 'turn', icon: Icon, text, act: toggle },
        is_admin && {
          name: 'delete',
          icon: Trash2,
          text: t('delete.action'),
          Dialog: DeleteTicketDialog,
        },
      ]}
    />
  );
}
