import { suspendLine } from '@linekeeper/contract/lines/line-changes.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { TextInput } from '../../../shared/forms/fields/text-input.tsx';
import { FormDialog } from '../../../shared/forms/form-dialog.tsx';
import { FormProblems } from '../../../shared/forms/form-problems.tsx';
import { useContractForm } from '../../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../../shared/forms/use-submit.ts';
import { useRetrySync } from '../../../shared/lines/use-retry-sync.ts';
import { toast } from '../../../shared/state/toast.ts';
import { useNeedsConnection } from '../../../shared/ui/use-needs-connection.ts';
import { ChangeAdvice } from '../refused-change.tsx';

/** Asks why, and says that the line stops working. */
export function SuspendLineDialog({ line, onClose }: { line: Line; onClose: () => void }) {
  const { t } = useTranslation('lines');
  const { warn } = useRetrySync(line);
  const { username } = line;
  const form = useContractForm({ schema: suspendLine.body, defaultValues: { reason: '' } });
  const submission = useSubmit({
    form,
    command: useCommand(suspendLine, { params: { id: line.id }, refreshes: ['lines', 'me'] }),
    done: ({ sync, sync_finding }) => {
      onClose();
      if (sync.ok) toast.success(t('suspend.done', { username }));
      else warn(sync_finding, t('suspend.goesOn'));
    },
  });
  return (
    <FormDialog
      submission={submission}
      title={t('suspend.title', { username })}
      text={t('suspend.text')}
      submitLabel={t('suspend.confirm')}
      blocked={useNeedsConnection()}
      disableRestoreFocus
      onClose={onClose}
    >
      <FormProblems
        form={form}
        advice={(error) => <ChangeAdvice error={error} retryAdvice={t('suspend.retryAdvice')} />}
      />
      <TextInput
        control={form.control}
        name="reason"
        label={t('suspend.reason')}
        hint={t('suspend.reasonHint')}
        multiline
        rows={2}
        autoFocus
      />
    </FormDialog>
  );
}
