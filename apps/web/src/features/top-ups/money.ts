import { localeOf } from '../../shared/i18n/languages.ts';

/** Parts of a cent are shown where one credit costs less than that. */
const MOST_DIGITS = 4;

/** An amount in hundredths, as the language writes it. */
export function formatPrice(minor: number, currency: string, language: string): string {
  const maximumFractionDigits = minor > 0 && minor < 1 ? MOST_DIGITS : 2;
  const format = { style: 'currency', currency, maximumFractionDigits } as const;
  return new Intl.NumberFormat(localeOf(language), format).format(minor / 100);
}

/** Of a price as it is typed: 50, 49.90 or 49,90. */
export function minorOf(text: string): number {
  const [whole = '0', part = ''] = text.trim().split(/[.,]/);
  return Number(whole) * 100 + Number(part.padEnd(2, '0'));
}

export function typedPrice(minor: number): string {
  return (minor / 100).toFixed(2);
}

/** A number of credits with its parts: 1.33. */
export function formatParts(value: number, language: string): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return new Intl.NumberFormat(localeOf(language), digits).format(value);
}

export function formatPercent(share: number, language: string): string {
  return new Intl.NumberFormat(localeOf(language), { style: 'percent' }).format(share);
}
