import { disableTwoFactor } from '@linekeeper/contract/auth/two-factor.ts';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { CurrentPassword } from '../../../shared/forms/fields/password-input.tsx';
import { FormDialog } from '../../../shared/forms/form-dialog.tsx';
import { FormProblems } from '../../../shared/forms/form-problems.tsx';
import { SecondCode } from '../../../shared/forms/second-code.tsx';
import { useContractForm } from '../../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../../shared/forms/use-submit.ts';

interface TurnOffDialogProps {
  onTurnedOff: () => void;
  onClose: () => void;
}

export function TurnOffDialog({ onTurnedOff, onClose }: TurnOffDialogProps) {
  const { t } = useTranslation('twoFactor');
  const form = useContractForm({
    schema: disableTwoFactor.body,
    defaultValues: { password: '', code: '' },
  });
  const submission = useSubmit({
    form,
    command: useCommand(disableTwoFactor, { refreshes: ['two-factor'], waits: true }),
    done: () => {
      onTurnedOff();
      onClose();
    },
    isGuarded: false,
  });
  return (
    <FormDialog
      submission={submission}
      title={t('turnOffTitle')}
      text={t('turnOffText')}
      submitLabel={t('turnOffSubmit')}
      onClose={onClose}
    >
      <FormProblems form={form} />
      <CurrentPassword control={form.control} name="password" autoFocus />
      <SecondCode form={form} />
    </FormDialog>
  );
}
