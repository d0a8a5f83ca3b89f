import { signUp } from '@linekeeper/contract/auth/auth.ts';
import { MIN_PASSWORD_LENGTH } from '@linekeeper/contract/fields/fields.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordInput } from '#kit/forms/fields/password-input.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { VisitorFrame } from '#kit/page/visitor/visitor-frame.tsx';
import { publicSettingsQuery } from '#platform/data/settings.ts';
import { Outcome } from './outcome.tsx';
import { rememberEmail } from './remembered-email.ts';
import { VisitorForm } from './visitor-form.tsx';

export function SignUpPage() {
  const { t } = useTranslation(['auth', 'errors']);
  const { data: settings } = useQuery(publicSettingsQuery());
  const [mailedTo, setMailedTo] = useState<string>();

  if (settings && !settings.sign_up_open) {
    return <Outcome title={t('errors:SIGN_UP_CLOSED')} text={t('signUp.closedText')} />;
  }
  if (mailedTo) {
    const text = t('signUp.checkMailText', { email: mailedTo });
    return <Outcome title={t('signUp.checkMailTitle')} text={text} />;
  }
  return (
    <VisitorFrame
      title={t('signUp.title')}
      intro={
        <>
          {t('signUp.haveAccount')}{' '}
          <Link to="/sign-in" className="link">
            {t('signIn.title')}
          </Link>
        </>
      }
    >
      <SignUpForm onConfirmationNeeded={setMailedTo} />
    </VisitorFrame>
  );
}

function SignUpForm({ onConfirmationNeeded }: { onConfirmationNeeded: (email: string) => void }) {
  const { t } = useTranslation('auth');
  const navigate = useNavigate();
  const { form, field, submission } = useCommandForm(signUp, {
    defaultValues: { name: '', email: '', password: '' },
    done: ({ confirmation_needed }, { email }) => {
      rememberEmail(email);
      if (confirmation_needed) onConfirmationNeeded(email);
      else void navigate({ to: '/sign-in', search: { notice: 'created' } });
    },
    fieldOfCode: { PASSWORD_TOO_COMMON: 'password' },
    isGuarded: false,
  });
  return (
    <VisitorForm form={form} submission={submission} submitLabel={t('signUp.submit')}>
      <TextInput
        {...field('name')}
        label={t('field.fullName')}
        hint={t('signUp.optional')}
        autoComplete="name"
      />
      <TextInput
        {...field('email')}
        label={t('field.email')}
        type="email"
        autoComplete="username"
        spellCheck={false}
        required
      />
      <PasswordInput
        {...field('password')}
        label={t('field.password')}
        hint={t('signUp.passwordHint', { minimum: MIN_PASSWORD_LENGTH })}
        autoComplete="new-password"
        required
      />
    </VisitorForm>
  );
}
