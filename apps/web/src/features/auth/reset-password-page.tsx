import { resetPassword } from '@linekeeper/contract/auth/auth.ts';
import { MIN_PASSWORD_LENGTH } from '@linekeeper/contract/fields/fields.ts';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordInput } from '#kit/forms/fields/password-input.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { VisitorFrame } from '#kit/page/visitor/visitor-frame.tsx';
import { ApiError } from '#platform/api/client.ts';
import { useCacheAccount } from '#platform/data/session.ts';
import { Outcome } from './outcome.tsx';
import { VisitorForm } from './visitor-form.tsx';

export function ResetPasswordPage() {
  const { t } = useTranslation(['links', 'auth']);
  const { token, invited } = useSearch({ from: '/reset-password' });
  const [outcome, setOutcome] = useState<'done' | 'failed'>();
  if (outcome === 'done') return <Outcome title={t('passwordChanged')} />;
  if (!token || outcome === 'failed') {
    return (
      <Outcome
        title={t('callback.failedTitle')}
        text={t(invited ? 'invitation.failedText' : 'reset.failedText')}
        other={
          <Link to="/forgot-password" className="link">
            {t('reset.again')}
          </Link>
        }
      />
    );
  }
  return (
    <VisitorFrame
      title={t(invited ? 'invitation.title' : 'reset.title')}
      intro={t(invited ? 'invitation.text' : 'reset.text')}
    >
      <ResetForm token={token} onDone={setOutcome} />
    </VisitorFrame>
  );
}

interface ResetFormProps {
  token: string;
  onDone: (outcome: 'done' | 'failed') => void;
}

function ResetForm({ token, onDone }: ResetFormProps) {
  const { t } = useTranslation(['links', 'auth']);
  const router = useRouter();
  const cacheAccount = useCacheAccount();
  const { form, field, submission } = useCommandForm(resetPassword, {
    defaultValues: { token, new_password: '' },
    refused: (error) => {
      if (error instanceof ApiError && error.code === 'INVALID_RESET_LINK') onDone('failed');
    },
    done: ({ user }) => {
      if (!user) return onDone('done');
      cacheAccount(user);
      router.history.push('/');
    },
    fieldOfCode: { PASSWORD_TOO_COMMON: 'new_password' },
    isGuarded: false,
  });
  return (
    <VisitorForm form={form} submission={submission} submitLabel={t('reset.submit')}>
      <PasswordInput
        {...field('new_password')}
        label={t('field.newPassword')}
        hint={t('auth:signUp.passwordHint', { minimum: MIN_PASSWORD_LENGTH })}
        autoComplete="new-password"
        required
      />
    </VisitorForm>
  );
}
