import { MOST_COUNTED } from '@linekeeper/contract/endpoint.ts';
import { localeOf } from './languages.ts';

/** Formats by language, cached because creating one is slower than formatting a whole list. */
const formats = new Map<string, Intl.NumberFormat>();

/** Formats a number with grouped digits. Without the option, Polish writes "1000" next to "10 000". */
export function formatNumber(
  value: number,
  language: string,
  maximumFractionDigits?: number,
): string {
  const key = `${language} ${maximumFractionDigits}`;
  const format =
    formats.get(key) ??
    new Intl.NumberFormat(localeOf(language), { maximumFractionDigits, useGrouping: 'always' });
  formats.set(key, format);
  return format.format(value);
}

/** Formats a count. The API stops counting at a limit, which is shown as "10,000+". */
export function formatCount(count: number, language: string): string {
  return formatNumber(count, language) + (count < MOST_COUNTED ? '' : '+');
}
