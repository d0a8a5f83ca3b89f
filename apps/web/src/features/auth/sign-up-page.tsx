import { signUp } from '@linekeeper/contract/auth.ts';
import { MIN_PASSWORD_LENGTH } from '@linekeeper/contract/fields.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { applyServerErrors } from '../../shared/forms/apply-server-errors.ts';
import { FormErrorSummary } from '../../shared/forms/form-error-summary.tsx';
import { PasswordInput } from '../../shared/forms/password-input.tsx';
import { SubmitButton } from '../../shared/forms/submit-button.tsx';
import { TextInput } from '../../shared/forms/text-input.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { paths } from '../../shared/paths.ts';
import { publicSettingsQuery } from '../../shared/settings.ts';
import styles from './auth-frame.module.css';
import { AuthFrame } from './auth-frame.tsx';
import { Outcome } from './outcome.tsx';

export function SignUpPage() {
  const { t } = useTranslation('auth');
  const { data: settings } = useQuery(publicSettingsQuery());
  const [mailedTo, setMailedTo] = useState<string>();

  if (settings && !settings.sign_up_open) {
    return <Outcome title={t('signUp.closedTitle')} text={t('signUp.closedText')} />;
  }
  if (mailedTo) {
    const text = t('signUp.checkMailText', { email: mailedTo });
    return <Outcome title={t('signUp.checkMailTitle')} text={text} />;
  }
  return (
    <AuthFrame
      title={t('signUp.title')}
      intro={
        <>
          {t('signUp.haveAccount')}{' '}
          <Link to={paths.signIn()} className="link">
            {t('signIn.title')}
          </Link>
        </>
      }
    >
      <SignUpForm onConfirmationNeeded={setMailedTo} />
    </AuthFrame>
  );
}

function SignUpForm({ onConfirmationNeeded }: { onConfirmationNeeded: (email: string) => void }) {
  const { t } = useTranslation('auth');
  const navigate = useNavigate();
  const form = useContractForm({
    schema: signUp.body,
    defaultValues: { name: '', email: '', password: '' },
  });
  const signingUp = useMutation({
    mutationFn: (body: typeof signUp.body._input) => call(signUp, { body }),
    onSuccess: ({ confirmation_needed }, { email }) => {
      if (confirmation_needed) onConfirmationNeeded(email);
      else void navigate({ to: paths.signIn(), search: { notice: 'created' } });
    },
    onError: (error) => applyServerErrors(form, error, { PASSWORD_TOO_COMMON: 'password' }),
  });
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={form.handleSubmit((values) => signingUp.mutate(values))}
    >
      <FormErrorSummary form={form} fixFields={(count) => t('fixFields', { count })} />
      <TextInput
        control={form.control}
        name="name"
        label={t('signUp.fullName')}
        hint={t('signUp.optional')}
        autoComplete="name"
      />
      <TextInput
        control={form.control}
        name="email"
        label={t('email')}
        type="email"
        autoComplete="username"
        spellCheck={false}
        required
      />
      <PasswordInput
        control={form.control}
        name="password"
        label={t('password')}
        hint={t('signUp.passwordHint', { minimum: MIN_PASSWORD_LENGTH })}
        autoComplete="new-password"
        required
      />
      <SubmitButton pending={signingUp.isPending} size="large" fullWidth>
        {t('signUp.submit')}
      </SubmitButton>
    </form>
  );
}
