import { requestPasswordReset } from '@linekeeper/contract/auth/auth.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { VisitorFrame } from '#kit/page/visitor/visitor-frame.tsx';
import { publicSettingsQuery } from '#platform/data/settings.ts';
import { Outcome } from './outcome.tsx';
import { VisitorForm } from './visitor-form.tsx';

/** The page that requests a link to set a new password. Without a mail server it explains whom to ask instead. */
export function ForgotPasswordPage() {
  const { t } = useTranslation('auth');
  const { data: settings } = useQuery(publicSettingsQuery());
  const [mailedTo, setMailedTo] = useState<string>();

  if (settings && !settings.sends_mail) {
    return <Outcome title={t('forgot.title')} text={t('forgot.noMailText')} />;
  }
  if (mailedTo) {
    const text = t('forgot.sentText', { email: mailedTo });
    return <Outcome title={t('signUp.checkMailTitle')} text={text} />;
  }
  return (
    <VisitorFrame title={t('forgot.title')} intro={t('forgot.text')}>
      <ForgotForm onSent={setMailedTo} />
    </VisitorFrame>
  );
}

function ForgotForm({ onSent }: { onSent: (email: string) => void }) {
  const { t } = useTranslation('auth');
  const { form, field, submission } = useCommandForm(requestPasswordReset, {
    defaultValues: { email: '' },
    done: (_, { email }) => onSent(email),
    isGuarded: false,
  });
  return (
    <VisitorForm
      form={form}
      submission={submission}
      submitLabel={t('forgot.submit')}
      other={
        <Link to="/sign-in" className="link">
          {t('goToSignIn')}
        </Link>
      }
    >
      <TextInput
        {...field('email')}
        label={t('field.email')}
        type="email"
        autoComplete="username"
        spellCheck={false}
        autoFocus
        required
      />
    </VisitorForm>
  );
}
