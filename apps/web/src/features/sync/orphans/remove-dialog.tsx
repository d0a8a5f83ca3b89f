import type { Reply } from '@linekeeper/contract/endpoint.ts';
import {
  MAX_ORPHANS_AT_ONCE,
  type Orphan,
  removeOrphans,
} from '@linekeeper/contract/servers/orphans.ts';
import { useTranslation } from 'react-i18next';
import { isPending } from '#domain/lines/use-retry-sync.ts';
import { ConfirmAction } from '#kit/commands/confirm-action.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';
import { results } from '#platform/state/results.ts';

interface RemoveDialogProps {
  /** The account to remove, or the ids of several. */
  what: Orphan | readonly string[];
  onDone?: () => void;
  onClose: () => void;
}

export function RemoveDialog({ what, onDone, onClose }: RemoveDialogProps) {
  const { t } = useTranslation('sync');
  const findingText = useFindingText();
  const one = 'username' in what ? what : null;
  const ids = 'username' in what ? [what.id] : [...what];
  const named = { username: one?.username ?? '', server: one?.server_name ?? '' };
  const count = ids.length;
  const done = ({ removed, sync, sync_finding }: Reply<typeof removeOrphans>) => {
    onDone?.();
    if (!one) return results.success(t('orphans.remove.doneMany', { count: removed }));
    if (sync?.ok !== false) return results.success(t('orphans.remove.done', named));
    const tell = isPending(sync_finding) ? results.info : results.warning;
    tell(t('orphans.remove.pending', named), { detail: findingText(sync_finding) });
  };
  const isTooMany = count > MAX_ORPHANS_AT_ONCE;
  return (
    <ConfirmAction
      command={useCommand(removeOrphans, { refreshes: ['sync', 'lines'] })}
      content={{ ids }}
      tone="danger"
      title={one ? t('orphans.remove.of', named) : t('orphans.remove.many', { count })}
      text={t('orphans.remove.text')}
      confirmLabel={one ? t('recurring.remove') : t('orphans.remove.many', { count })}
      blocked={isTooMany ? t('orphans.adopt.tooMany', { maximum: MAX_ORPHANS_AT_ONCE }) : undefined}
      done={done}
      onClose={onClose}
    />
  );
}
