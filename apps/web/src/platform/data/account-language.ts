import type { Language } from '@linekeeper/contract/languages.ts';
import { useEffect } from 'react';
import { chooseLanguage } from '#platform/i18n/i18n.ts';
import { storedLanguage } from '#platform/i18n/languages.ts';
import { useFetchFailedText } from '#platform/i18n/use-error-text.ts';
import { results } from '#platform/state/results.ts';
import { useChangePreferences, usePreferences } from './preferences.ts';

/** Uses the account's language in a browser where none was chosen. */
export function useAccountLanguage(): void {
  const { language } = usePreferences();
  useEffect(() => {
    if (language && storedLanguage() === null) chooseLanguage(language).catch(() => undefined);
  }, [language]);
}

/** Changes the language here and saves it to the account for other browsers. */
export function useChooseLanguage(): (language: Language) => void {
  const { change } = useChangePreferences();
  const failedText = useFetchFailedText();
  return (language) => {
    chooseLanguage(language).then(
      () => change({ language }),
      (problem) => results.warning(failedText(problem)),
    );
  };
}
