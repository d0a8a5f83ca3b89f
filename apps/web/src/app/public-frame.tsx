import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { LegalNotice } from '#kit/page/legal-notice.tsx';
import { LanguageChoice } from '#kit/page/visitor/language-choice.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { LogoMark } from '#kit/ui/logo.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useSiteName } from '#platform/data/site-name.ts';
import { returnAddress } from './guard.ts';
import { ResultPlace } from './shell/results/result-place.tsx';
import { SkipLink } from './shell/skip-link.tsx';

/** The frame of pages that visitors see if a setting opens them, such as those of the knowledge base. */
export function PublicFrame() {
  const { t } = useTranslation('auth');
  const siteName = useSiteName();
  const here = useLocation({ select: ({ href }) => href });
  return (
    <div className="flex flex-col w-full max-w-300 min-h-[100vh] mx-auto px-6 phone:px-(--side)">
      <SkipLink />
      <header className="flex items-center justify-between gap-4 min-h-(--header)">
        <Link
          to="/support/knowledge-base"
          className="flex items-center gap-3 min-w-0 min-h-11 type-[700_18px/24px_var(--font)] wrap-anywhere"
        >
          <LogoMark />
          <TypedText>{siteName}</TypedText>
        </Link>
        <ResultPlace />
        <ButtonLink to="/sign-in" search={{ to: returnAddress(here) }}>
          {t('signIn.title')}
        </ButtonLink>
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="[--covered-top:0px] flex-1 min-w-0 [padding-block:16px_40px] [outline:0]"
      >
        <Outlet />
      </main>
      <footer className="grid gap-4 pb-6">
        <LanguageChoice />
        <LegalNotice />
      </footer>
    </div>
  );
}
