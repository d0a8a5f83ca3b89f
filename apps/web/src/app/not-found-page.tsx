import { useTranslation } from 'react-i18next';
import { useDocumentTitle } from '#kit/page/use-screen.ts';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { LogoMark } from '#kit/ui/logo.tsx';
import styles from './not-found-page.module.css';

export function NotFoundPage() {
  const { t } = useTranslation();
  const title = useDocumentTitle();
  return (
    <main className={styles.page}>
      <LogoMark />
      <p className={styles.number}>404</p>
      <h1>{title}</h1>
      <p className={styles.text}>{t('notFound.text')}</p>
      <ButtonLink to="/" variant="solid">
        {t('notFound.home')}
      </ButtonLink>
    </main>
  );
}
