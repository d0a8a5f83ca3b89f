import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';
import { useSend } from '../../../shared/forms/use-send.ts';
import { useServerName } from '../../../shared/lines/sync.tsx';
import { useRetrySync } from '../../../shared/lines/use-retry-sync.ts';
import { toast } from '../../../shared/state/toast.ts';
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx';
import { useNeedsConnection } from '../../../shared/ui/use-needs-connection.ts';
import styles from '../line-dialogs.module.css';
import { useResumeLine } from '../queries.ts';
import { RefusedChange } from '../refused-change.tsx';

export function ResumeLineDialog({ line, onClose }: { line: Line; onClose: () => void }) {
  const { t } = useTranslation('lines');
  const { warn } = useRetrySync(line);
  const server = useServerName(line.server_id);
  const { username, expiry_date } = line;
  const { send, isPending, error } = useSend({
    send: useResumeLine(line.id).mutateAsync,
    onSuccess: ({ sync, sync_finding }) => {
      onClose();
      if (sync.ok) toast.success(t('resume.done', { username }));
      else warn(sync_finding, t('done.saved'));
    },
  });
  return (
    <ConfirmDialog
      open
      title={t('resume.title', { username })}
      text={t('resume.text', { server, day: formatDay(expiry_date) })}
      confirmLabel={t('resume.confirm')}
      pending={isPending}
      blocked={useNeedsConnection()}
      onConfirm={() => void send({})}
      onClose={onClose}
    >
      {error !== null && (
        <div className={styles.refusal}>
          <RefusedChange error={error} retryAdvice={t('suspend.retryAdvice')} />
        </div>
      )}
    </ConfirmDialog>
  );
}
