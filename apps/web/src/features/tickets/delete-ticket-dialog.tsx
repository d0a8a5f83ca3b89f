import type { Ticket } from '@linekeeper/contract/tickets/tickets.ts';
import { useTranslation } from 'react-i18next';
import { useSend } from '../../shared/forms/use-send.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { toast } from '../../shared/state/toast.ts';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { useDeleteTicket } from './queries.ts';
import { ticketNumber } from './ticket-looks.ts';

interface DeleteTicketDialogProps {
  ticket: Ticket;
  onClose: () => void;
  onDeleted?: () => unknown;
}

export function DeleteTicketDialog({ ticket, onClose, onDeleted }: DeleteTicketDialogProps) {
  const { t } = useTranslation('tickets');
  const errorText = useErrorText();
  const number = ticketNumber(ticket);
  const deletion = useSend({
    send: useDeleteTicket(ticket.id).mutateAsync,
    onSuccess: async () => {
      onClose();
      await onDeleted?.();
      toast.success(t('delete.done', { number }));
    },
    onRefused: (error) => toast.error(errorText(error)),
  });
  return (
    <ConfirmDialog
      open
      tone="danger"
      title={t('delete.title', { number })}
      text={t('delete.text')}
      confirmLabel={t('delete.action')}
      pending={deletion.isPending}
      onConfirm={() => void deletion.send({})}
      onClose={onClose}
    />
  );
}
