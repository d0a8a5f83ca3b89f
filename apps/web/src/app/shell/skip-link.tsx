import { useTranslation } from 'react-i18next';
import { buttonLook } from '#kit/ui/buttons/button.tsx';
import styles from './shell.module.css';

/** The first stop of Tab: leads past the header to `main`, which must be able to take the focus. */
export function SkipLink() {
  const { t } = useTranslation();
  const look = buttonLook({ variant: 'solid' });
  return (
    <a {...look} className={`${look.className} ${styles.skip}`} href="#main">
      {t('skipToContent')}
    </a>
  );
}
