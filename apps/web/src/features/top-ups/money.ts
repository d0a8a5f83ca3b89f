import { localeOf } from '../../shared/i18n/languages.ts';

/** Hundredths of a price as it is typed: 50, 49.90 or 49,90. */
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
