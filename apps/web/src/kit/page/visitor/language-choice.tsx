import { languages } from '@linekeeper/contract/languages.ts';
import { useTranslation } from 'react-i18next';
import { Flag } from '#kit/ui/flag.tsx';
import { chooseLanguage } from '#platform/i18n/i18n.ts';
import { languageNames } from '#platform/i18n/languages.ts';

const BUTTON =
  'flex items-center gap-2 min-h-11 px-[11px] rounded-control text-text-2 font-medium [&[aria-current]]:bg-paper [&[aria-current]]:[box-shadow:inset_0_0_0_1px_var(--color-divider-strong)] [&[aria-current]]:text-text [&[aria-current]]:font-semibold';
const CENTRED =
  'relative justify-center phone:grid phone:grid-cols-[1fr_1fr] phone:gap-2 phone:w-full';

/** All languages side by side, for screens without a session; centred ones fill a phone's width. */
export function LanguageChoice({ isCentred }: { isCentred?: boolean }) {
  const { t, i18n } = useTranslation();
  return (
    <nav
      className={`flex flex-wrap items-stretch gap-1 ${isCentred ? CENTRED : ''}`}
      aria-label={t('language')}
    >
      {languages.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          className={`${BUTTON} ${isCentred ? 'phone:px-4' : ''}`}
          aria-current={language === i18n.language ? 'true' : undefined}
          onClick={() => void chooseLanguage(language).catch(() => undefined)}
        >
          <Flag language={language} />
          {languageNames[language]}
        </button>
      ))}
    </nav>
  );
}
