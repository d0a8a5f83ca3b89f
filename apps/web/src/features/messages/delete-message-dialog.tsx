import { deleteMessage, type Message } from '@linekeeper/contract/messages.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ConfirmAction } from '../../shared/commands/confirm-action.tsx';
import { useCommand } from '../../shared/commands/use-command.ts';
import { toast } from '../../shared/state/toast.ts';

interface DeleteMessageDialogProps {
  message: Message;
  onClose: () => void;
}

export function DeleteMessageDialog({ message, onClose }: DeleteMessageDialogProps) {
  const { t } = useTranslation('messages');
  const navigate = useNavigate();
  const search = useSearch({ from: '/shell/messages' });
  const deletion = useCommand(deleteMessage, {
    params: { id: message.id },
    refreshes: ['messages', 'notifications'],
  });
  return (
    <ConfirmAction
      command={deletion}
      tone="danger"
      title={t('delete.title', { title: message.title })}
      text={t('delete.text')}
      confirmLabel={t('delete.action')}
      done={() => {
        toast.success(t('delete.done'));
        return navigate({ to: '/messages', search: { ...search, message: undefined } });
      }}
      onClose={onClose}
    />
  );
}
