import { expect, test } from 'vitest';
import { expiryTone, expiryWords } from './expiry.tsx';

test('the colour depends on the days left', () => {
  expect([-9, 0].map(expiryTone)).toEqual(['error', 'error']);
  expect([1, 7].map(expiryTone)).toEqual(['warning', 'warning']);
  expect([8, 30].map(expiryTone)).toEqual(['info', 'info']);
  expect([31, 730].map(expiryTone)).toEqual(['quiet', 'quiet']);
});

test.each([
  [
    'en',
    'today',
    'tomorrow',
    'in 3 days',
    'in 6 months',
    'in 24 months',
    'in 73 years',
    '9 days ago',
  ],
  [
    'de',
    'heute',
    'morgen',
    'in 3 Tagen',
    'in 6 Monaten',
    'in 24 Monaten',
    'in 73 Jahren',
    'vor 9 Tagen',
  ],
  [
    'pl',
    'dzisiaj',
    'jutro',
    'za 3 dni',
    'za 6 miesięcy',
    'za 24 miesiące',
    'za 73 lata',
    '9 dni temu',
  ],
  ['pt', 'hoje', 'amanhã', 'em 3 dias', 'em 6 meses', 'em 24 meses', 'em 73 anos', 'há 9 dias'],
])('words in %s', (language, ...words) => {
  expect([0, 1, 3, 180, 729, 26_699, -9].map((days) => expiryWords(days, language))).toEqual(words);
});
