import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';
import { useSend } from '../../../shared/forms/use-send.ts';
import { isolate } from '../../../shared/i18n/isolate.ts';
import { useFindingText } from '../../../shared/i18n/use-finding-text.ts';
import { useServerName } from '../../../shared/lines/sync.tsx';
import { isPending } from '../../../shared/lines/use-retry-sync.ts';
import { toast } from '../../../shared/state/toast.ts';
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx';
import { useNeedsConnection } from '../../../shared/ui/use-needs-connection.ts';
import styles from '../line-dialogs.module.css';
import { useDeleteLine } from '../queries.ts';
import { RefusedChange } from '../refused-change.tsx';

interface DeleteLineDialogProps {
  line: Line;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteLineDialog({ line, onClose, onDeleted }: DeleteLineDialogProps) {
  const { t } = useTranslation('lines');
  const findingText = useFindingText();
  const server = useServerName(line.server_id);
  const { username } = line;
  const { mutateAsync } = useDeleteLine(line.id);
  const {
    send,
    isPending: isSending,
    error,
  } = useSend({
    send: mutateAsync,
    onSuccess: ({ sync, sync_finding }) => {
      onDeleted();
      if (sync.ok) toast.success(t('delete.done', { username }));
      else if (isPending(sync_finding))
        toast.info(findingText(sync_finding), { detail: isolate(username) });
      else
        toast.warning(findingText(sync_finding), {
          detail: `${isolate(username)}: ${t('sync.deleteGoesOn')}`,
          stays: true,
        });
    },
  });
  return (
    <ConfirmDialog
      open
      tone="danger"
      title={t('delete.title', { username })}
      text={t('delete.text', { server })}
      confirmLabel={t('delete.confirm')}
      pending={isSending}
      blocked={useNeedsConnection()}
      onConfirm={() => void send(null)}
      onClose={onClose}
    >
      {error !== null && (
        <div className={styles.refusal}>
          <RefusedChange error={error} retryAdvice={t('delete.retryAdvice')} />
        </div>
      )}
    </ConfirmDialog>
  );
}
