import { deleteTicket, type Ticket } from '@linekeeper/contract/tickets/tickets.ts';
import { useTranslation } from 'react-i18next';
import { ConfirmAction } from '#kit/commands/confirm-action.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import type { RowDialogProps } from '#kit/list/row-actions.tsx';
import { results } from '#platform/state/results.ts';
import { conversationQuery, ticketQuery } from './queries.ts';
import { ticketNumber } from './ticket-looks.ts';

interface DeleteTicketDialogProps extends RowDialogProps<Ticket> {
  onDeleted?: () => unknown;
}

export function DeleteTicketDialog({ row: ticket, onClose, onDeleted }: DeleteTicketDialogProps) {
  const { t } = useTranslation('tickets');
  const number = ticketNumber(ticket);
  const deletion = useCommand(deleteTicket, {
    params: { id: ticket.id },
    refreshes: ['tickets'],
    removes: [ticketQuery(ticket.id).queryKey, conversationQuery(ticket.id).queryKey],
    waits: true,
  });
  return (
    <ConfirmAction
      command={deletion}
      tone="danger"
      title={t('delete.title', { number })}
      text={t('delete.text')}
      confirmLabel={t('delete.action')}
      done={async () => {
        await onDeleted?.();
        results.success(t('delete.done', { number }));
      }}
      onClose={onClose}
    />
  );
}
