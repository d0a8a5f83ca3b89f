import { enableTwoFactor } from '@linekeeper/contract/auth/two-factor.ts';
import type { Command } from '#kit/commands/use-command.ts';
import { CurrentPassword } from '#kit/forms/fields/password-input.tsx';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { useContractForm } from '#kit/forms/use-contract-form.ts';
import { useSubmit } from '#kit/forms/use-submit.ts';

interface PasswordDialogProps {
  title: string;
  text?: string;
  submitLabel: string;
  command: Command<{ password: string }, unknown>;
  onClose: () => void;
}

/**
 * The dialog that asks for the password once more, before actions that must not be possible with a
 * stolen session alone.
 */
export function PasswordDialog({ command, onClose, ...texts }: PasswordDialogProps) {
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
      <CurrentPassword control={form.control} name="password" autoFocus />
    </FormDialog>
  );
}
