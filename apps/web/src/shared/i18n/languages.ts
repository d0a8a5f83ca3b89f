import { type Language, languages } from '@linekeeper/contract/languages.ts';

/** Each language by its own name. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  pl: 'Polski',
  pt: 'Português',
};

const STORAGE_KEY = 'app-language';

function languageOf(tag: string | null | undefined): Language | undefined {
  const primary = tag?.toLowerCase().split('-')[0];
  return languages.find((language) => language === primary);
}

/** The stored choice, then the first language of the browser that is spoken here, then English. */
export function preferredLanguage(): Language {
  return (
    languageOf(storedLanguage()) ??
    navigator.languages.map(languageOf).find((language) => language !== undefined) ??
    'en'
  );
}

export function storedLanguage(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

export function storeLanguage(language: Language): void {
  try {
    localStorage.setItem(STORAGE_KEY, language);
  } catch {
    // Storage may be forbidden; the choice then lasts until the page is closed.
  }
}
