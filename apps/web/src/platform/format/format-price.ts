import { localeOf } from '#platform/i18n/languages.ts';

/** Decimals of a price, at most: parts of a cent are shown if one credit costs less than a cent. */
const MOST_DIGITS = 4;

/** Formats an amount in hundredths with its currency, as the language writes it. */
export function formatPrice(minor: number, currency: string, language: string): string {
  const maximumFractionDigits = minor > 0 && minor < 1 ? MOST_DIGITS : 2;
  const format = { style: 'currency', currency, maximumFractionDigits } as const;
  return new Intl.NumberFormat(localeOf(language), format).format(minor / 100);
}
