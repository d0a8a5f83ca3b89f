import { type Language, languages } from '@linekeeper/contract/languages.ts';

/**
 * The first supported language of an Accept-Language header, which browsers sort; English if no
 * language in it is supported.
 */
export function negotiateLanguage(header: string | null): Language {
  const wanted = (header ?? '').split(',').map((range) => range.trim().split(/[-;]/)[0]);
  const found = wanted.map((code) => languages.find((ours) => ours === code?.toLowerCase()));
  return found.find((ours) => ours !== undefined) ?? 'en';
}
