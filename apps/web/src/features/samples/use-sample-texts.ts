import type { Language } from '@linekeeper/contract/languages.ts';
import { useTranslation } from 'react-i18next';
import de from './texts/de.json';
import en from './texts/en.json';
import pl from './texts/pl.json';
import pt from './texts/pt.json';

/**
 * Texts of the sample pages in all languages. They are not in the locale files, because the pages are rarely opened. A
 * test compares their keys.
 */
export const sampleTexts: Record<Language, typeof en> = { en, de, pl, pt };

export function useSampleTexts() {
  const { i18n } = useTranslation();
  return sampleTexts[i18n.language as Language] ?? en;
}
