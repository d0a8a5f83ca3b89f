import { undoLine } from '@linekeeper/contract/lines/line-changes.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';
import { lineQuery } from '#domain/lines/queries.ts';
import { useServerName } from '#domain/lines/sync.tsx';
import { RefusedChange } from '#features/lines/refused-change.tsx';
import { ConfirmAction } from '#kit/commands/confirm-action.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { results } from '#platform/state/results.ts';

interface UndoLineDialogProps {
  line: Line;
  onClose: () => void;
  onDeleted: () => void;
}

/** The dialog that undoes the sale of a line that its server never had. */
export function UndoLineDialog({ line, onClose, onDeleted }: UndoLineDialogProps) {
  const { t } = useTranslation('lines');
  const server = useServerName(line.server_id);
  const { username } = line;
  const undo = useCommand(undoLine, {
    params: { id: line.id },
    refreshes: ['lines', 'me', 'jobs'],
    removes: [lineQuery(line.id).queryKey],
  });
  return (
    <ConfirmAction
      command={undo}
      title={t('undoLine.title', { username })}
      text={t('undoLine.text', { server })}
      confirmLabel={t('undoLine.confirm')}
      done={({ refunded }) => {
        onDeleted();
        results.success(
          t('undoLine.done', {
            username,
            credits: t('credits.amount', { count: refunded }),
          }),
        );
      }}
      staysOpen
      refusal={(error) => <RefusedChange error={error} />}
      onClose={onClose}
    />
  );
}
