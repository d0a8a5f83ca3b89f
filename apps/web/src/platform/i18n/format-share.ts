import { localeOf } from './languages.ts';

/** A share from 0 to 1 in whole percent. */
export function formatShare(share: number, language: string): string {
  return new Intl.NumberFormat(localeOf(language), {
    style: 'percent',
    maximumFractionDigits: 0,
  }).format(share);
}
