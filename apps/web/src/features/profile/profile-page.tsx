import { CircleUserRound, Code, Lock, MonitorSmartphone } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Sections } from '../../shared/sections/sections.tsx';
import { PageHeader } from '../../shared/ui/page-header.tsx';
import { ApiKeysCard } from './api-keys/api-keys-card.tsx';
import { DetailsForm } from './details-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { SessionsCard } from './sessions/sessions-card.tsx';

export function ProfilePage() {
  const { t } = useTranslation('profile');
  const { t: common } = useTranslation();
  const sections = [
    { id: 'details', text: t('details'), icon: CircleUserRound, content: <DetailsForm /> },
    {
      id: 'password',
      text: common('field.password'),
      icon: Lock,
      content: <PasswordForm />,
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
