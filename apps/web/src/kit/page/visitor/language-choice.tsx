import { languages } from '@linekeeper/contract/languages.ts';
import { useTranslation } from 'react-i18next';
import { Flag } from '#kit/ui/flag.tsx';
import { chooseLanguage } from '#platform/i18n/i18n.ts';
import { languageNames } from '#platform/i18n/languages.ts';

/** All languages side by side, for screens without a session; centred ones fill a phone's width. */
export function LanguageChoice({ isCentred }: { isCentred?: boolean }) {
  const { t, i18n } = useTranslation();
  return (
    <nav
      className="flex flex-wrap items-stretch gap-1 [&_button]:flex [&_button]:items-center [&_button]:gap-2 [&_button]:min-h-11 [&_button]:py-0 [&_button]:px-[11px] [&_button]:rounded-control [&_button]:text-text-2 [&_button]:font-medium [&_button[aria-current]]:bg-paper [&_button[aria-current]]:[box-shadow:inset_0_0_0_1px_var(--color-divider-strong)] [&_button[aria-current]]:text-text [&_button[aria-current]]:font-semibold data-centred:relative data-centred:justify-center data-centred:phone:grid data-centred:phone:grid-cols-[1fr_1fr] data-centred:phone:gap-2 data-centred:phone:w-full data-centred:phone:[&_button]:py-0 data-centred:phone:[&_button]:px-4"
      data-centred={isCentred || undefined}
      aria-label={t('language')}
    >
      {languages.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
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
