import fc from 'fast-check';
import papaparse from 'papaparse';
import { expect, test } from 'vitest';
import { csvHead, csvRows, unescapeFormula } from './csv.ts';

const hostile = [
  '=1+1',
  '+1',
  '-1',
  '@a',
  '\t=1',
  '\r=1',
  "'=1",
  "''@a",
  '"quoted", "',
  'a\r\nb',
  'ä',
];

function parse(text: string): string[][] {
  return papaparse.parse<string[]>(text.trimStart(), { skipEmptyLines: true }).data;
}

test('no cell begins like a formula', () => {
  for (const text of hostile) {
    const [[cell = ''] = []] = parse(csvRows([[text, 'x']]));
    expect(cell, JSON.stringify(text)).not.toMatch(/^[=+\-@\t\r]/);
  }
});

test('a spreadsheet is told that it is UTF-8, and lines end as it expects', () => {
  expect(csvHead(['a', 'b']) + csvRows([['ä', 1]])).toBe('\ufeffa,b\r\nä,1\r\n');
});

test('what was written is read back exactly', () => {
  const anything = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(fc.array(anything, { minLength: 2, maxLength: 4 }), (cells) => {
      fc.pre(cells.some((cell) => cell !== ''));
      const { data } = papaparse.parse<string[]>(csvRows([cells]));
      expect(data[0]?.map(unescapeFormula)).toEqual(cells);
    }),
  );
});
