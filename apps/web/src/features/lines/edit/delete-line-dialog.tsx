import type { Reply } from '@linekeeper/contract/endpoint.ts';
import { deleteLine } from '@linekeeper/contract/lines/line-changes.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';
import { lineQuery } from '#domain/lines/queries.ts';
import { useServerName } from '#domain/lines/sync.tsx';
import { isPending } from '#domain/lines/use-retry-sync.ts';
import { RefusedChange } from '#features/lines/refused-change.tsx';
import { ConfirmAction } from '#kit/commands/confirm-action.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';
import { results } from '#platform/state/results.ts';

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
  const deletion = useCommand(deleteLine, {
    params: { id: line.id },
    // Earlier jobs of the line cannot be undone any more.
    refreshes: ['lines', 'me', 'jobs'],
    removes: [lineQuery(line.id).queryKey],
  });
  const done = ({ sync, sync_finding }: Reply<typeof deleteLine>) => {
    onDeleted();
    if (sync.ok) results.success(t('deleted', { name: username }));
    else if (isPending(sync_finding))
      results.info(findingText(sync_finding), { detail: isolate(username) });
    else
      results.warning(findingText(sync_finding), {
        detail: `${isolate(username)}: ${t('sync.deleteGoesOn')}`,
        stays: true,
      });
  };
  return (
    <ConfirmAction
      command={deletion}
      tone="danger"
      title={t('askDelete', { name: username })}
      text={t('delete.text', { server })}
      confirmLabel={t('delete.confirm')}
      done={done}
      staysOpen
      refusal={(error) => <RefusedChange error={error} retryAdvice={t('delete.retryAdvice')} />}
      onClose={onClose}
    />
  );
}
