import { editRedeemCode, type RedeemCode } from '@linekeeper/contract/credits/redeem-codes.ts';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../shared/commands/use-command.ts';
import { expiryOf } from '../../shared/forms/day-and-time.ts';
import { TextInput } from '../../shared/forms/fields/text-input.tsx';
import { FormDialog } from '../../shared/forms/form-dialog.tsx';
import { FormProblems } from '../../shared/forms/form-problems.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../shared/forms/use-submit.ts';
import { toast } from '../../shared/state/toast.ts';
import { CodeFields } from './code-fields.tsx';
import { editCodeForm, expiryValues } from './code-form-schemas.ts';

interface EditCodeDialogProps {
  code: RedeemCode;
  onClose: () => void;
}

export function EditCodeDialog({ code: stored, onClose }: EditCodeDialogProps) {
  const { t } = useTranslation('redeemCodes');
  const { id, code, credits, description, max_uses, expires_at } = stored;
  const form = useContractForm({
    schema: editCodeForm,
    defaultValues: {
      credits,
      description: description ?? '',
      max_uses,
      ...expiryValues(expires_at),
    },
  });
  const submission = useSubmit({
    form,
    command: useCommand(editRedeemCode, { params: { id }, refreshes: ['redeem-codes'] }),
    bodyOf: ({ day, time, ...body }) => {
      const { dirtyFields } = form.formState;
      const isMoved = dirtyFields.day || dirtyFields.time;
      // An end that was not changed here keeps its milliseconds.
      return { ...body, ...(isMoved ? { expires_at: expiryOf({ day, time }) } : {}) };
    },
    done: () => {
      onClose();
      toast.success(t('edit.done', { code }));
    },
  });
  return (
    <FormDialog
      submission={submission}
      title={t('edit.title', { code })}
      submitLabel={t('action.save')}
      onClose={onClose}
    >
      <FormProblems form={form} />
      <TextInput
        control={form.control}
        name="credits"
        label={t('form.credits')}
        type="number"
        autoFocus
        required
      />
      <CodeFields control={form.control} />
    </FormDialog>
  );
}
