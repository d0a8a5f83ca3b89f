import { type Language, languages } from '@linekeeper/contract/languages.ts';

/** Picks the best supported language for an Accept-Language header; English if there is none. */
export function negotiateLanguage(header: string | null): Language {
  const wanted = (header ?? '').split(',').map((part) => {
    const [range = '', ...parameters] = part.trim().toLowerCase().split(';');
    const weight = parameters.find((parameter) => parameter.trim().startsWith('q='));
    return {
      language: range.trim().split('-')[0],
      weight: weight ? Number(weight.trim().slice(2)) || 0 : 1,
    };
  });
  const best = wanted
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ language }) => languages.find((ours) => ours === language))
    .find((ours) => ours !== undefined);
  return best ?? 'en';
}
