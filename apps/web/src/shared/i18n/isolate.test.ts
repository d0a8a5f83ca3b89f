import { createInstance } from 'i18next';
import { expect, it } from 'vitest';
import frame from '../../locales/en/frame.json';
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
