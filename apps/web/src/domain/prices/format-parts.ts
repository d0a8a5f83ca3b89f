import { localeOf } from '#platform/i18n/languages.ts';

/** A number of credits with its parts: 1.33. */
export function formatParts(value: number, language: string): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return new Intl.NumberFormat(localeOf(language), digits).format(value);
}
