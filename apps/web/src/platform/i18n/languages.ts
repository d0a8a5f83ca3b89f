import { type Language, languages } from '@linekeeper/contract/languages.ts';
import { keptInBrowser } from '#platform/browser/storage.ts';

/** Names of the languages, each in its own language. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  pl: 'Polski',
  pt: 'Português',
};

/**
 * The BCP 47 tag for numbers, plurals and screen readers. Portuguese is European here: plain "pt"
 * means Brazilian, which writes 12345 as "12.345" and treats 0 as singular.
 */
export function localeOf(language: string): string {
  return language === 'pt' ? 'pt-PT' : language;
}

const STORAGE_KEY = 'app-language';

function languageOf(tag: string | null | undefined): Language | undefined {
  const primary = tag?.toLowerCase().split('-')[0];
  return languages.find((language) => language === primary);
}

/** The language of a tag such as pt-BR, else English. */
export const languageOr = (tag: string | null | undefined): Language => languageOf(tag) ?? 'en';

/** The stored language, else the browser's first supported one. */
export function knownLanguage(): Language | undefined {
  return (
    languageOf(storedLanguage()) ??
    navigator.languages.map(languageOf).find((language) => language !== undefined)
  );
}

/** The known language, otherwise English, until the country is known. */
export function preferredLanguage(): Language {
  return knownLanguage() ?? 'en';
}

export function storedLanguage(): string | null {
  return keptInBrowser.read(STORAGE_KEY);
}

export function storeLanguage(language: Language): void {
  keptInBrowser.write(STORAGE_KEY, language);
}
