import { enableTwoFactor } from '@linekeeper/contract/auth/two-factor.ts';
import { useTranslation } from 'react-i18next';
import type { Command } from '../../../shared/commands/use-command.ts';
import { PasswordInput } from '../../../shared/forms/fields/password-input.tsx';
import { FormDialog } from '../../../shared/forms/form-dialog.tsx';
import { FormProblems } from '../../../shared/forms/form-problems.tsx';
import { useContractForm } from '../../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../../shared/forms/use-submit.ts';

interface PasswordDialogProps {
  title: string;
  text?: string;
  submitLabel: string;
  command: Command<{ password: string }, unknown>;
  onClose: () => void;
}

/** Asks for the password again, for what a stolen session must not do. */
export function PasswordDialog({ command, onClose, ...texts }: PasswordDialogProps) {
  const { t } = useTranslation('twoFactor');
  const form = useContractForm({
    schema: enableTwoFactor.body,
    defaultValues: { password: '' },
  });
  const submission = useSubmit({
    form,
    command,
    done: onClose,
    fieldOfCode: { WRONG_CURRENT_PASSWORD: 'password' },
    isGuarded: false,
  });
  return (
    <FormDialog submission={submission} onClose={onClose} {...texts}>
      <FormProblems form={form} />
      <PasswordInput
        control={form.control}
        name="password"
        label={t('password')}
        autoComplete="current-password"
        autoFocus
        required
      />
    </FormDialog>
  );
}
