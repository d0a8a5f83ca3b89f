import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { LegalNotice } from '#kit/page/legal-notice.tsx';
import { useDocumentTitle } from '#kit/page/use-screen.ts';
import { LogoMark } from '#kit/ui/logo.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useSiteName } from '#platform/data/site-name.ts';
import { LanguageChoice } from './language-choice.tsx';

interface VisitorFrameProps {
  title: string;
  /** Content below the title, for example a link to the other form. */
  intro?: ReactNode;
  /** True to link to the contact form, for people who cannot sign in. */
  hasContact?: boolean;
  children: ReactNode;
}

/** Centered card of the screens without a session, with the language menu below. */
export function VisitorFrame({ title, intro, hasContact = true, children }: VisitorFrameProps) {
  const { t } = useTranslation();
  const id = useId();
  const siteName = useSiteName();
  useDocumentTitle(title);
  return (
    <main className="relative flex flex-col items-center justify-center gap-6 min-h-[100vh] py-6 px-4 overflow-hidden">
      <QuietLine />
      <section
        className="relative w-110 max-w-full p-10 rounded-card bg-paper shadow-card [&>form]:grid [&>form]:gap-4 [&>form]:mt-6 [&>form>[type=submit]]:mt-2 [&>form>.link]:justify-self-center phone:p-6"
        aria-labelledby={id}
      >
        <div className="flex items-center gap-3 mb-8 type-[700_18px/24px_var(--font)]">
          <LogoMark />
          <span className="min-w-0 wrap-anywhere">
            <TypedText>{siteName}</TypedText>
          </span>
        </div>
        <h1 id={id}>{title}</h1>
        {intro && <p className="mt-1 text-text-2">{intro}</p>}
        {children}
      </section>
      <LanguageChoice isCentred />
      {hasContact && (
        <Link to="/contact" className="link relative">
          {t('nav.contactUs')}
        </Link>
      )}
      <LegalNotice />
    </main>
  );
}

/** The message that replaces the form of a visitor after it was sent. */
export function VisitorOutcome({ children }: { children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 gap-6 mt-1 [&>p]:text-text-2 [&>p]:wrap-anywhere [&>.link]:justify-self-center">
      {children}
    </div>
  );
}

function QuietLine() {
  return (
    <svg
      className="absolute inset-0 w-full h-full phone:hidden"
      viewBox="0 0 1440 900"
      preserveAspectRatio="xMidYMid slice"
      fill="none"
      strokeWidth="2"
      aria-hidden="true"
    >
      <path
        d="M-20 640H250a92 92 0 1 0-92-92c0 250 420 204 640 204h660"
        stroke="#E4EAF1"
        strokeWidth="2"
      />
      <path
        d="M-20 660H250a112 112 0 1 0-112-112c0 290 440 224 660 224h660"
        stroke="#EDF1F5"
        strokeWidth="2"
      />
    </svg>
  );
}
