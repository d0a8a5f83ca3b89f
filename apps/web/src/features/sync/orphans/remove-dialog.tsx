import { MAX_ORPHANS_AT_ONCE, type Orphan } from '@linekeeper/contract/servers/orphans.ts';
import { useTranslation } from 'react-i18next';
import { useSend } from '../../../shared/forms/use-send.ts';
import { useErrorText } from '../../../shared/i18n/use-error-text.ts';
import { useFindingText } from '../../../shared/i18n/use-finding-text.ts';
import { isPending } from '../../../shared/lines/use-retry-sync.ts';
import { toast } from '../../../shared/state/toast.ts';
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx';
import { useRemove } from './queries.ts';

interface RemoveDialogProps {
  /** One alone, or several by their ids. */
  what: Orphan | readonly string[];
  onDone?: () => void;
  onClose: () => void;
}

/** Asks before usernames are removed from their servers. */
export function RemoveDialog({ what, onDone, onClose }: RemoveDialogProps) {
  const { t } = useTranslation('sync');
  const errorText = useErrorText();
  const findingText = useFindingText();
  const one = 'username' in what ? what : null;
  const ids = 'username' in what ? [what.id] : [...what];
  const named = { username: one?.username ?? '', server: one?.server_name ?? '' };
  const count = ids.length;
  const removal = useSend({
    send: useRemove().mutateAsync,
    onSuccess: ({ removed, sync, sync_finding }) => {
      onClose();
      onDone?.();
      if (!one) return toast.success(t('orphans.remove.doneMany', { count: removed }));
      if (sync?.ok !== false) return toast.success(t('orphans.remove.done', named));
      const tell = isPending(sync_finding) ? toast.info : toast.warning;
      tell(t('orphans.remove.pending', named), { detail: findingText(sync_finding) });
    },
    onRefused: (error) => toast.error(errorText(error)),
  });
  const isTooMany = count > MAX_ORPHANS_AT_ONCE;
  return (
    <ConfirmDialog
      open
      tone="danger"
      title={one ? t('orphans.remove.title', named) : t('orphans.remove.titleMany', { count })}
      text={t('orphans.remove.text')}
      confirmLabel={one ? t('orphans.remove.action') : t('orphans.remove.many', { count })}
      blocked={isTooMany ? t('orphans.adopt.tooMany', { maximum: MAX_ORPHANS_AT_ONCE }) : undefined}
      pending={removal.isPending}
      onConfirm={() => void removal.send({ ids })}
      onClose={onClose}
    />
  );
}
