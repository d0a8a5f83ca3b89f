import { PageHeader } from '../../shared/ui/page-header.tsx';
import { DetailsForm } from './details-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { PreferencesCard } from './preferences-card.tsx';
import styles from './profile-page.module.css';

export function ProfilePage() {
  return (
    <>
      <PageHeader />
      <div className={styles.cards}>
        <DetailsForm />
        <PreferencesCard />
        <PasswordForm />
      </div>
    </>
  );
}
