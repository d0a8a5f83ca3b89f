import { suspendLine } from '@linekeeper/contract/lines/line-changes.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';
import { useRetrySync } from '#domain/lines/use-retry-sync.ts';
import { ChangeAdvice } from '#features/lines/refused-change.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { results } from '#platform/state/results.ts';

/** The dialog that suspends a line. It asks for a reason, and warns that the line stops working. */
export function SuspendLineDialog({ line, onClose }: { line: Line; onClose: () => void }) {
  const { t } = useTranslation('lines');
  const { warn } = useRetrySync(line);
  const { username } = line;
  const { field, submission } = useCommandForm(suspendLine, {
    params: { id: line.id },
    refreshes: ['lines', 'me'],
    defaultValues: { reason: '' },
    done: ({ sync, sync_finding }) => {
      onClose();
      if (sync.ok) results.success(t('suspend.done', { username }));
      else warn(sync_finding, t('suspend.goesOn'));
    },
  });
  return (
    <FormDialog
      submission={submission}
      title={t('suspend.title', { username })}
      text={t('suspend.text')}
      advice={(error) => <ChangeAdvice error={error} retryAdvice={t('suspend.retryAdvice')} />}
      submitLabel={t('suspend.confirm')}
      disableRestoreFocus
      onClose={onClose}
    >
      <TextInput
        {...field('reason')}
        label={t('field.reason')}
        hint={t('suspend.reasonHint')}
        multiline
        rows={2}
        autoFocus
      />
    </FormDialog>
  );
}
