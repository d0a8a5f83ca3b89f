import { useTranslation } from 'react-i18next';
import { paths } from '../shared/paths.ts';
import { ButtonLink } from '../shared/ui/button-link.tsx';
import { LogoMark } from '../shared/ui/logo.tsx';
import { useDocumentTitle } from '../shared/use-document-title.ts';
import styles from './not-found-page.module.css';

export function NotFoundPage() {
  const { t } = useTranslation();
  useDocumentTitle(t('notFound.title'));
  return (
    <main className={styles.page}>
      <LogoMark />
      <p className={styles.number}>404</p>
      <h1>{t('notFound.title')}</h1>
      <p className={styles.text}>{t('notFound.text')}</p>
      <ButtonLink to={paths.home()} variant="solid">
        {t('notFound.home')}
      </ButtonLink>
    </main>
  );
}
