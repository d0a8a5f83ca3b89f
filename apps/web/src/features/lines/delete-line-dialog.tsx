import type { Line } from '@linekeeper/contract/lines.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newIdempotencyKey } from '../../shared/api/client.ts';
import { usePushMessage } from '../../shared/i18n/use-push-message.ts';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx';
import { toast } from '../../shared/ui/toast.ts';
import styles from './line-dialogs.module.css';
import { useDeleteLine } from './queries.ts';
import { RefusedChange } from './refused-change.tsx';
import { useServerName } from './sync-chip.tsx';

interface DeleteLineDialogProps {
  line: Line;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteLineDialog({ line, onClose, onDeleted }: DeleteLineDialogProps) {
  const { t } = useTranslation('lines');
  const pushMessage = usePushMessage();
  const server = useServerName(line.server_id);
  const [key] = useState(newIdempotencyKey);
  const { mutateAsync, isPending, error } = useDeleteLine(line.id);
  const { username } = line;
  const confirm = async () => {
    try {
      const { sync } = await mutateAsync(key);
      onDeleted();
      if (sync.ok) toast.success(t('delete.done', { username }));
      else
        toast.warning(pushMessage(sync.message), {
          detail: `${username}: ${t('sync.deleteGoesOn')}`,
          stays: true,
        });
    } catch {
      // The dialog shows it.
    }
  };
  return (
    <ConfirmDialog
      open
      tone="danger"
      title={t('delete.title', { username })}
      text={t('delete.text', { server })}
      confirmLabel={t('delete.confirm')}
      pending={isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      {error && (
        <div className={styles.refusal}>
          <RefusedChange error={error} />
        </div>
      )}
    </ConfirmDialog>
  );
}
