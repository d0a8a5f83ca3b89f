import { signIn } from '@linekeeper/contract/auth.ts';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { PasswordInput } from '../../shared/forms/fields/password-input.tsx';
import { FormDialog } from '../../shared/forms/form-dialog.tsx';
import { FormProblems } from '../../shared/forms/form-problems.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../shared/forms/use-submit.ts';
import { isolate } from '../../shared/i18n/isolate.ts';
import { onAccountRemembered, useCacheAccount, useMe } from '../../shared/session.ts';

interface SessionEndedDialogProps {
  onSignedIn: () => void;
  onLeave: () => void;
}

/** Signs the same account in again, over a page with unsaved input. */
export function SessionEndedDialog({ onSignedIn, onLeave }: SessionEndedDialogProps) {
  const { t } = useTranslation('auth');
  const { t: common } = useTranslation();
  const { id, email } = useMe();
  const cacheAccount = useCacheAccount();
  const form = useContractForm({ schema: signIn.body, defaultValues: { email, password: '' } });
  const submission = useSubmit({
    form,
    send: ({ body }) => call(signIn, { body }),
    onSuccess: ({ user }) => {
      cacheAccount(user);
      onSignedIn();
    },
    isGuarded: false,
  });
  const followOtherTab = useEffectEvent((accountId: string) => {
    if (accountId === id) onSignedIn();
    else location.reload();
  });
  useEffect(() => onAccountRemembered(followOtherTab), []);
  return (
    <FormDialog
      // Closing always asks, since it gives up the input of the page below.
      submission={{ ...submission, isUnsaved: true }}
      title={t('sessionEnded.title')}
      text={t('sessionEnded.text', { email: isolate(email) })}
      submitLabel={t('signIn.submit')}
      cancelLabel={common('unsaved.leave')}
      onClose={onLeave}
    >
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
