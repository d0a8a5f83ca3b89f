import { localeOf } from '#platform/i18n/languages.ts';

/** A share of checks in percent, rounded down: 100 % means that none failed. */
export function formatUptime(uptime: number, language: string): string {
  return new Intl.NumberFormat(localeOf(language), {
    style: 'percent',
    maximumFractionDigits: 1,
    roundingMode: 'floor',
  }).format(uptime);
}
