import { type Account, setCredits } from '@linekeeper/contract/accounts/accounts.ts';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { BalanceRows } from '../../../shared/forms/balance-rows.tsx';
import { TextInput } from '../../../shared/forms/fields/text-input.tsx';
import { FormDialog } from '../../../shared/forms/form-dialog.tsx';
import { FormProblems } from '../../../shared/forms/form-problems.tsx';
import { useContractForm } from '../../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../../shared/forms/use-submit.ts';
import { toast } from '../../../shared/state/toast.ts';

interface SetCreditsDialogProps {
  account: Account;
  onClose: () => void;
}

/** Corrects a balance; the difference is written as a transfer with its reason. */
export function SetCreditsDialog({ account, onClose }: SetCreditsDialogProps) {
  const { t } = useTranslation(['account', 'accounts']);
  const name = account.full_name || account.email;
  const form = useContractForm({ schema: setCredits.body, defaultValues: { note: '' } });
  const submission = useSubmit({
    form,
    command: useCommand(setCredits, { params: { id: account.id }, refreshes: ['accounts'] }),
    done: ({ account: { credits } }) => {
      onClose();
      toast.success(t('setCredits.done', { name, credits }));
    },
  });
  const wanted = setCredits.body.shape.credits.safeParse(form.watch('credits')).data;
  return (
    <FormDialog
      submission={submission}
      title={t('setCredits.title', { name })}
      text={t('setCredits.text')}
      submitLabel={t('setCredits.confirm')}
      onClose={onClose}
    >
      <FormProblems form={form} />
      <TextInput
        control={form.control}
        name="credits"
        label={t('setCredits.balance')}
        type="number"
        autoFocus
        required
      />
      <TextInput
        control={form.control}
        name="note"
        label={t('setCredits.reason')}
        hint={t('accounts:addCredits.noteHint')}
        required
      />
      <BalanceRows
        rows={[
          { label: t('before'), value: account.credits },
          {
            label: t('setCredits.difference'),
            value: wanted === undefined ? undefined : wanted - account.credits,
            isChange: true,
          },
          { label: t('after'), value: wanted },
        ]}
      />
    </FormDialog>
  );
}
