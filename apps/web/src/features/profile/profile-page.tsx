import { CircleUserRound, Code, Lock, Mail, MonitorSmartphone, ShieldCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { Sections } from '../../shared/sections/sections.tsx';
import { ApiKeysCard } from './api-keys/api-keys-card.tsx';
import { DetailsForm } from './details-form.tsx';
import { EmailForm } from './email-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { SessionsCard } from './sessions/sessions-card.tsx';
import { TwoFactorCard } from './two-factor/two-factor-card.tsx';

export function ProfilePage() {
  const { t } = useTranslation('profile');
  const sections = [
    { id: 'details', text: t('sections.details'), icon: CircleUserRound, content: <DetailsForm /> },
    { id: 'email', text: t('sections.email'), icon: Mail, content: <EmailForm /> },
    { id: 'password', text: t('sections.password'), icon: Lock, content: <PasswordForm /> },
    {
      id: 'two-factor',
      text: t('sections.twoFactor'),
      icon: ShieldCheck,
      content: <TwoFactorCard />,
    },
    {
      id: 'sessions',
      text: t('sessions.title'),
      icon: MonitorSmartphone,
      content: <SessionsCard />,
    },
    { id: 'api-keys', text: t('apiKeys.title'), icon: Code, content: <ApiKeysCard /> },
  ];
  return (
    <>
      <PageHeader />
      <Sections sections={sections} />
    </>
  );
}
