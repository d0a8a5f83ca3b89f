import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSiteName } from '../shared/data/site-name.ts';
import { LegalNotice } from '../shared/layout/legal-notice.tsx';
import { ResultPlace } from '../shared/layout/results/result-place.tsx';
import { SkipLink } from '../shared/layout/skip-link.tsx';
import { LanguageChoice } from '../shared/layout/visitor/language-choice.tsx';
import { ButtonLink } from '../shared/ui/buttons/button-link.tsx';
import { LogoMark } from '../shared/ui/logo.tsx';
import { TypedText } from '../shared/ui/typed-text.tsx';
import { Row } from '../shared/ui/vocabulary.tsx';
import { returnAddress } from './guard.ts';
import styles from './public-frame.module.css';

/** The frame of screens inside the shell that a setting opens to visitors. */
export function PublicFrame() {
  const { t } = useTranslation('auth');
  const siteName = useSiteName();
  const here = useLocation({ select: ({ href }) => href });
  return (
    <div className={styles.frame}>
      <SkipLink />
      <Row as="header" gap={16} justify="between" className={styles.header}>
        <Link to="/support/knowledge-base" className={styles.brand}>
          <LogoMark />
          <TypedText>{siteName}</TypedText>
        </Link>
        <ResultPlace />
        <ButtonLink to="/sign-in" search={{ to: returnAddress(here) }}>
          {t('signIn.title')}
        </ButtonLink>
      </Row>
      <main id="main" tabIndex={-1} className={styles.main}>
        <Outlet />
      </main>
      <footer className={styles.foot}>
        <LanguageChoice />
        <LegalNotice />
      </footer>
    </div>
  );
}
