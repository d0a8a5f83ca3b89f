import { signIn } from '@linekeeper/contract/auth.ts';
import { useMutation } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { applyServerErrors } from '../../shared/forms/apply-server-errors.ts';
import { FormErrorSummary } from '../../shared/forms/form-error-summary.tsx';
import { PasswordInput } from '../../shared/forms/password-input.tsx';
import { SubmitButton } from '../../shared/forms/submit-button.tsx';
import { TextInput } from '../../shared/forms/text-input.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { paths } from '../../shared/paths.ts';
import { safeReturnPath } from '../../shared/return-path.ts';
import { useKeepAccount } from '../../shared/session.ts';
import { Banner } from '../../shared/ui/banner.tsx';
import styles from './auth-frame.module.css';
import { AuthFrame } from './auth-frame.tsx';

export function SignInPage() {
  const { t } = useTranslation('auth');
  const { notice } = useSearch({ from: '/sign-in' });
  return (
    <AuthFrame
      title={t('signIn.title')}
      intro={
        <>
          {t('signIn.noAccount')}{' '}
          <Link to={paths.signUp()} className="link">
            {t('signUp.title')}
          </Link>
        </>
      }
    >
      <SignInForm notice={notice && <Banner tone="success" title={t('signIn.accountCreated')} />} />
    </AuthFrame>
  );
}

function SignInForm({ notice }: { notice: React.ReactNode }) {
  const { t } = useTranslation('auth');
  const router = useRouter();
  const { to } = useSearch({ from: '/sign-in' });
  const keepAccount = useKeepAccount();
  const form = useContractForm({
    schema: signIn.body,
    defaultValues: { email: '', password: '' },
  });
  const entering = useMutation({
    mutationFn: (body: typeof signIn.body._input) => call(signIn, { body }),
    onSuccess: ({ user }) => {
      keepAccount(user);
      router.history.push(safeReturnPath(to));
    },
    onError: (error) => applyServerErrors(form, error),
  });
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={form.handleSubmit((values) => entering.mutate(values))}
    >
      {notice}
      <FormErrorSummary form={form} fixFields={(count) => t('fixFields', { count })} />
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
        autoComplete="current-password"
        required
      />
      <SubmitButton pending={entering.isPending || entering.isSuccess} size="large" fullWidth>
        {t('signIn.submit')}
      </SubmitButton>
    </form>
  );
}
