import { disableTwoFactor } from '@linekeeper/contract/auth/two-factor.ts';
import { useTranslation } from 'react-i18next';
import { CurrentPassword } from '#kit/forms/fields/password-input.tsx';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { SecondCode } from '#kit/forms/second-code.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';

interface TurnOffDialogProps {
  onTurnedOff: () => void;
  onClose: () => void;
}

export function TurnOffDialog({ onTurnedOff, onClose }: TurnOffDialogProps) {
  const { t } = useTranslation('twoFactor');
  const { form, field, submission } = useCommandForm(disableTwoFactor, {
    refreshes: ['two-factor'],
    waits: true,
    defaultValues: { password: '', code: '' },
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
      submitLabel={t('action.turnOff')}
      onClose={onClose}
    >
      <CurrentPassword {...field('password')} autoFocus />
      <SecondCode form={form} />
    </FormDialog>
  );
}
