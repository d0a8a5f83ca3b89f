import type { Language } from '@linekeeper/contract/languages.ts';
import { useTranslation } from 'react-i18next';
import de from './texts/de.json';
import en from './texts/en.json';
import pl from './texts/pl.json';
import pt from './texts/pt.json';

/** All languages come with the pages, which are opened rarely. A test compares their keys. */
export const sampleTexts: Record<Language, typeof en> = { en, de, pl, pt };

export function useSampleTexts() {
  const { i18n } = useTranslation();
  return sampleTexts[i18n.language as Language] ?? en;
}
