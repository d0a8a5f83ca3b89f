import { useTranslation } from 'react-i18next';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';
import styles from './auth-frame.module.css';
import { AuthFrame } from './auth-frame.tsx';

/** A result of sign-up or confirmation, with a link to sign in. */
export function Outcome({ title, text }: { title: string; text: string }) {
  const { t } = useTranslation('auth');
  return (
    <AuthFrame title={title}>
      <div className={styles.outcome}>
        <p>{text}</p>
        <ButtonLink to="/sign-in" variant="solid" size="large" fullWidth>
          {t('callback.signIn')}
        </ButtonLink>
      </div>
    </AuthFrame>
  );
}
