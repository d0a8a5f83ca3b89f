import type { Message } from '@linekeeper/contract/messages.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSend } from '../../shared/forms/use-send.ts';
import { isolate } from '../../shared/i18n/isolate.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { toast } from '../../shared/state/toast.ts';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { Banner } from '../../shared/ui/states/banner.tsx';
import { useDeleteMessage } from './queries.ts';

interface DeleteMessageDialogProps {
  message: Message;
  onClose: () => void;
}

export function DeleteMessageDialog({ message, onClose }: DeleteMessageDialogProps) {
  const { t } = useTranslation('messages');
  const errorText = useErrorText();
  const navigate = useNavigate();
  const search = useSearch({ from: '/shell/messages' });
  const deletion = useSend({
    send: useDeleteMessage(message.id).mutateAsync,
    onSuccess: () => {
      toast.success(t('delete.done'));
      return navigate({ to: '/messages', search: { ...search, message: undefined } });
    },
  });
  return (
    <ConfirmDialog
      open
      tone="danger"
      title={t('delete.title', { title: isolate(message.title) })}
      text={t('delete.text')}
      confirmLabel={t('delete.action')}
      pending={deletion.isPending}
      onConfirm={() => void deletion.send(null)}
      onClose={onClose}
    >
      {deletion.error !== null && <Banner tone="error" title={errorText(deletion.error)} isAlert />}
    </ConfirmDialog>
  );
}
