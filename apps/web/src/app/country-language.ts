import { getGeo } from '@linekeeper/contract/geo.ts';
import type { Language } from '@linekeeper/contract/languages.ts';
import i18next from 'i18next';
import { call } from '#platform/api/client.ts';
import { fetchLanguage } from '#platform/i18n/i18n.ts';
import { knownLanguage } from '#platform/i18n/languages.ts';

/** The language of a country, for browsers whose own language the panel lacks. */
const countryLanguages: Readonly<Record<string, Language>> = {
  us: 'en',
  gb: 'en',
  ca: 'en',
  au: 'en',
  nz: 'en',
  de: 'de',
  at: 'de',
  ch: 'de',
  pl: 'pl',
  pt: 'pt',
  br: 'pt',
};

/**
 * Shows the language of the country that the browser is in, to visitors who have chosen none. It is not stored, so that
 * a language chosen later takes precedence. If the country is unknown, the panel stays English.
 */
export async function followCountry(): Promise<void> {
  try {
    const { country_code } = await call(getGeo, {});
    const language = countryLanguages[country_code?.toLowerCase() ?? ''];
    if (!language || language === 'en') return;
    await fetchLanguage(language);
    // The visitor may have chosen a language in the meantime.
    if (!knownLanguage()) await i18next.changeLanguage(language);
  } catch {
    // If the country cannot be found out, the panel stays English.
  }
}
