import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInstance } from 'i18next';
import { expect, it } from 'vitest';
import frame from '#locales/en/frame.json';
import { isolate, shownText } from './isolate.ts';

const FSI = '\u2068';
const PDI = '\u2069';

it.each(['', 'Anna Nowak', 'Jürgen Großmann-Łoś', '1,000 × „x” (3)', '日本語', 'Ирина', '🙂'])(
  'leaves %j as it is',
  (text) => {
    expect(isolate(text)).toBe(text);
  },
);

it('shows text in typed order if a control character would reverse it', () => {
  expect(shownText('\u202erotartsinimda')).toBe('rotartsinimda');
  expect(isolate('a\u202ab\u202bc\u202cd\u202de\u2066f\u2067g')).toBe('abcdefg');
});

it.each(['אבי', 'مريم 12', 'a \u200f', '\u{1e900}', '\ufe8d'])('sets %j apart', (text) => {
  expect(isolate(text)).toBe(FSI + text + PDI);
});

it('balances isolates within the text', () => {
  expect(isolate(`אבי${PDI}${PDI} 12`)).toBe(`${FSI}אבי 12${PDI}`);
  expect(isolate(`אבי${FSI}${FSI}`)).toBe(`${FSI}אבי${FSI}${FSI}${PDI}${PDI}${PDI}`);
  expect(shownText(`${PDI}a${FSI}b`)).toBe(`a${FSI}b${PDI}`);
});

it('keeps isolates of a sentence that is itself interpolated', () => {
  const inner = isolate('אבי');
  expect(isolate(`move of ${inner}`)).toBe(`${FSI}move of ${inner}${PDI}`);
});

it('is applied to values interpolated into sentences', async () => {
  const i18n = createInstance();
  await i18n.init({
    lng: 'en',
    defaultNS: 'frame',
    interpolation: { escapeValue: true, escape: isolate },
    resources: { en: { frame } },
  });
  const account = (name: string) => i18n.t('header.account', { name });
  expect(account('Tom & <b>')).toBe('Account: Tom & <b>');
  expect(account('\u202enimda')).toBe('Account: nimda');
  expect(account('אבי')).toBe(`Account: ${FSI}אבי${PDI}`);
  expect(i18n.t('credits.amount', { count: 1000 })).toBe('1,000 credits');
});

/** The calls of `t` in a source, each with the text between its parentheses. */
function sentencesIn(source: string): string[] {
  return [...source.matchAll(/(?<![\w.])t\(/g)].map(({ index }) => {
    let open = 0;
    const end = [...source.slice(index)].findIndex((sign) => {
      if (sign === '(') open++;
      return sign === ')' && --open === 0;
    });
    return source.slice(index, index + end + 1);
  });
}

it('is left to the sentence, which no caller does by hand', () => {
  const root = join(import.meta.dirname, '../..');
  const byHand = globSync('**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.ts'] }).filter(
    (file) =>
      sentencesIn(readFileSync(join(root, file), 'utf8')).some((call) => call.includes('isolate(')),
  );
  expect(byHand).toEqual([]);
});
