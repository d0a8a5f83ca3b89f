import i18next from 'i18next';
import { expect, test } from 'vitest';
import { countLikeTheLocale } from './count-like-the-locale.ts';

async function sentencesIn(lng: string, texts: Record<string, string>) {
  const i18n = i18next.createInstance();
  await i18n.init({ lng, resources: { [lng]: { common: texts } }, defaultNS: 'common' });
  countLikeTheLocale(i18n);
  return (key: string, values: object) =>
    // Translation keys are typed; the keys of this test are not among them.
    String(i18n.t(key as 'loading', { ...values })).replaceAll('\u00a0', ' ');
}

test('Portuguese counts as in Portugal: 0 is plural, and a space groups digits', async () => {
  const t = await sentencesIn('pt', {
    lines_one: '{{count, number}} linha',
    lines_many: '{{count, number}} de linhas',
    lines_other: '{{count, number}} linhas',
  });
  expect([0, 1, 2, 1000, 12345].map((count) => t('lines', { count }))).toEqual([
    '0 linhas',
    '1 linha',
    '2 linhas',
    '1 000 linhas',
    '12 345 linhas',
  ]);
});

test('a thousand is grouped in sentences of every language', async () => {
  const texts = { lines: '{{count, number}}' };
  const thousand = { count: 1000 };
  expect((await sentencesIn('en', texts))('lines', thousand)).toBe('1,000');
  expect((await sentencesIn('de', texts))('lines', thousand)).toBe('1.000');
  expect((await sentencesIn('pl', texts))('lines', thousand)).toBe('1 000');
});

test('a sentence may limit decimals, and text is left as it is', async () => {
  const t = await sentencesIn('de', {
    size: '{{size, number(maximumFractionDigits: 1)}} MB',
    any: '{{count, number}}',
  });
  expect(t('size', { size: 12.345 })).toBe('12,3 MB');
  expect(t('any', { count: '10 000+' })).toBe('10 000+');
});
