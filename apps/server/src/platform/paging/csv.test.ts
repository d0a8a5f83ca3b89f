import { unescapeFormula } from '@linekeeper/contract/lines/csv.ts';
import fc from 'fast-check';
import papaparse from 'papaparse';
import { expect, test } from 'vitest';
import { size } from '../../testing/size.ts';
import { csvHead, csvRows } from './csv.ts';

/** Characters that readers may take for the cell separator. */
const separators = [',', ';', '\t', '|', '\x1e', '\x1f'];
const hostile = [
  '=1+1',
  '+1',
  '-1',
  '@a',
  '\t=1',
  '\r=1',
  "'=1",
  '＝1+1',
  '＋1',
  '－1',
  '＠a',
  '\n=1',
  "'＝1",
  "''@a",
  '"quoted", "',
  'a\r\nb',
  'ä',
  ' spaces ',
  ...separators.flatMap((separator) => [separator.repeat(5), `a${separator}b`, `"${separator}"`]),
];
const head = ['username', 'info', 'notes', 'name'];

/** Parses without knowing the separator. A final line break starts no row. */
function parse(text: string): string[][] {
  return papaparse.parse<string[]>(text.replace(/\r\n$/, '')).data;
}

test('no cell begins like a formula', () => {
  for (const text of hostile) {
    const [, [cell = ''] = []] = parse(csvHead(head) + csvRows([[text, 'x']]));
    expect(cell, JSON.stringify(text)).not.toMatch(/^[=+\-@＝＋－＠\t\r\n]/);
  }
});

test('a spreadsheet is told that it is UTF-8, and lines end as it expects', () => {
  const text = csvHead(['a', 'b', 'c']) + csvRows([['ä', 1, null]]);
  expect(text).toBe('\ufeff"a","b","c"\r\n"ä","1",""\r\n');
});

test('empty first cells and cells with tabs are read back exactly', () => {
  const cells = ['', '\t=1', '=1+1', '\t=1'];
  const [row = []] = papaparse.parse<string[]>(csvRows([cells])).data;
  expect(row.map(unescapeFormula)).toEqual(cells);
});

test('what was written is read back exactly, by a reader that has to guess the separator', () => {
  const someSeparators = fc.string({ unit: fc.constantFrom(...separators, '"', 'a') });
  const anything = fc.oneof(
    fc.constantFrom(...hostile),
    fc.string({ unit: 'grapheme' }),
    someSeparators,
  );
  const anyRow = fc.array(anything, { minLength: head.length, maxLength: head.length });
  fc.assert(
    fc.property(fc.array(anyRow, { minLength: 1, maxLength: 4 }), (rows) => {
      const [, ...read] = parse(csvHead(head) + csvRows(rows));
      expect(read.map((row) => row.map(unescapeFormula))).toEqual(rows);
    }),
    { numRuns: size(100, 100_000) },
  );
});
