import { expect, test } from 'vitest';
import { wordsOf } from './words.ts';

test('names are told from what stands around them', () => {
  const text = 'Since today “cust0399” and h.grossmann, too: no picture on salon-mokotow.';
  expect(wordsOf(text)).toEqual(
    expect.arrayContaining(['cust0399', 'h.grossmann', 'salon-mokotow']),
  );
  expect(wordsOf(text).join('')).toBe(text);
});
