import { useTranslation } from 'react-i18next';
import { paths } from '../../shared/paths.ts';
import { ButtonLink } from '../../shared/ui/button-link.tsx';
import styles from './auth-frame.module.css';
import { AuthFrame } from './auth-frame.tsx';

/** How something ended, and the way to sign in. */
export function Outcome({ title, text }: { title: string; text: string }) {
  const { t } = useTranslation('auth');
  return (
    <AuthFrame title={title}>
      <div className={styles.outcome}>
        <p>{text}</p>
        <ButtonLink to={paths.signIn()} variant="solid" size="large" fullWidth>
          {t('callback.signIn')}
        </ButtonLink>
      </div>
    </AuthFrame>
  );
}
