import { expect, it } from 'vitest';
import { findFolded } from './folded-text.ts';

const marked = (part: string, text: string) => {
  const place = findFolded(part, text);
  return place && text.slice(...place);
};

it('finds a part whatever its case and accents', () => {
  expect(marked('grossm', 'h.grossmann')).toBe('grossm');
  expect(marked('muller', 'Frau Müller')).toBe('Müller');
  expect(marked('SZCZĘ', 'Grażyna Szczęsna')).toBe('Szczę');
  expect(marked('grossm', 'Jürgen Großmann')).toBe('Großm');
  expect(marked('zolw', 'Żółw')).toBe('Żółw');
  expect(marked('sna', 'Grażyna Szcze\u0328sna')).toBe('sna');
});

it('finds a number however it is spaced', () => {
  expect(marked('600100200', 'Tel. +48 (600) 100-200, Anna')).toBe('600) 100-200');
  expect(marked('600 100 200', '600100200')).toBe('600100200');
  expect(marked('+48 600-100-200', '+48600 100 200')).toBe('48600 100 200');
  expect(marked('60 x', '600')).toBeUndefined();
});

it('finds nothing for nothing, and nothing that is not there', () => {
  expect(findFolded('', 'carvalho')).toBeUndefined();
  expect(findFolded('xyz', 'carvalho')).toBeUndefined();
  expect(findFolded('a', '')).toBeUndefined();
});

it('finds the whole text', () => {
  expect(findFolded('abc', 'abc')).toEqual([0, 3]);
});
