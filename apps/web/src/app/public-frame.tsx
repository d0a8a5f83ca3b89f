import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { LegalNotice } from '#kit/page/legal-notice.tsx';
import { LanguageChoice } from '#kit/page/visitor/language-choice.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { LogoMark } from '#kit/ui/logo.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { Row } from '#kit/ui/vocabulary.tsx';
import { useSiteName } from '#platform/data/site-name.ts';
import { returnAddress } from './guard.ts';
import styles from './public-frame.module.css';
import { ResultPlace } from './shell/results/result-place.tsx';
import { SkipLink } from './shell/skip-link.tsx';

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
