import type { Language } from '@linekeeper/contract/languages.ts';
import { useEffect } from 'react';
import { chooseLanguage } from './i18n/i18n.ts';
import { storedLanguage } from './i18n/languages.ts';
import { useChangePreferences, usePreferences } from './preferences.ts';

/** A browser where no language was chosen takes the account's. */
export function useAccountLanguage(): void {
  const { language } = usePreferences();
  useEffect(() => {
    if (language && storedLanguage() === null) void chooseLanguage(language);
  }, [language]);
}

/** Chooses a language here, and for the account's next browser. */
export function useChooseLanguage(): (language: Language) => void {
  const { change } = useChangePreferences();
  return (language) => {
    void chooseLanguage(language);
    change({ language });
  };
}
