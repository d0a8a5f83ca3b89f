import type { i18n } from 'i18next';
import { formatNumber } from './format-number.ts';
import { localeOf } from './languages.ts';

interface NumberOptions {
  maximumFractionDigits?: number;
}

/** Makes `{{count, number}}` in a sentence look like `formatNumber`, with the plurals of the locale. */
export function countLikeTheLocale({ services }: i18n): void {
  services.formatter?.add(
    'number',
    (value: unknown, language = 'en', { maximumFractionDigits }: NumberOptions) =>
      typeof value === 'number'
        ? formatNumber(value, language, maximumFractionDigits)
        : String(value),
  );
  const { pluralResolver } = services;
  const ruleOf = pluralResolver.getRule.bind(pluralResolver);
  pluralResolver.getRule = (language: string, options?: object) =>
    ruleOf(localeOf(language), options);
}
