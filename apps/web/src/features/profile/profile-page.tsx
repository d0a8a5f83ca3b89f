import { KeyRound, Mail, ShieldCheck, SlidersHorizontal, User } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '../../shared/ui/page-header.tsx';
import { DetailsForm } from './details-form.tsx';
import { EmailForm } from './email-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { PreferencesCard } from './preferences-card.tsx';
import styles from './profile-page.module.css';
import { SectionNav } from './section-nav.tsx';
import { TwoFactorCard } from './two-factor/two-factor-card.tsx';

/** The cards of the page in order, each with its place in the navigation. */
const sections = [
  { id: 'details', icon: User, Card: DetailsForm },
  { id: 'preferences', icon: SlidersHorizontal, Card: PreferencesCard },
  { id: 'email', icon: Mail, Card: EmailForm },
  { id: 'password', icon: KeyRound, Card: PasswordForm },
  { id: 'twoFactor', icon: ShieldCheck, Card: TwoFactorCard },
] as const;

export function ProfilePage() {
  const { t } = useTranslation('profile');
  return (
    <>
      <PageHeader />
      <div className={styles.page}>
        <SectionNav
          label={t('sections.label')}
          sections={sections.map(({ id, icon }) => ({ id, icon, text: t(`sections.${id}`) }))}
        />
        <div className={styles.cards}>
          {sections.map(({ id, Card }) => (
            <div key={id} id={id}>
              <Card />
            </div>
          ))}
        </div>
      </div>
    </>
  );
}
