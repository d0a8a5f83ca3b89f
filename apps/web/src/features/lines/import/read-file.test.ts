// @module-tag thorough
import type { TableFile } from '@linekeeper/line-files/read-file.ts';
import { expect, it } from 'vitest';
import { draftOf, excessMegabytes, importBody, linesOf } from './draft.ts';
import {
  type FileOutcome,
  type FileProblem,
  type ReadFile,
  readBytes,
  sizeProblem,
} from './read-file.ts';

type ReadTable = TableFile & Pick<ReadFile, 'name' | 'accounts'>;

function fileIn(outcome: FileOutcome): ReadTable {
  if ('problem' in outcome) throw new Error(`Refused: ${outcome.problem.kind}`);
  if (outcome.file.format !== 'csv') throw new Error(outcome.file.format);
  return outcome.file;
}

const readText = (text: string) => readBytes('a.csv', new TextEncoder().encode(text), 'en');
const problemIn = (outcome: FileOutcome): FileProblem | undefined =>
  'problem' in outcome ? outcome.problem : undefined;
const refused = (text: string) => problemIn(readText(text));
/** The file with every row as a spreadsheet shows it. */
const shown = (file: ReadTable) => ({
  ...file,
  rows: file.all.map(({ number, cells }) => ({ number, cells })),
});
const read = (text: string) => shown(fileIn(readText(text)));
const bytes = (latin1: string) => new Uint8Array(Buffer.from(latin1, 'latin1'));
const heads = 'username;password;months';

it.each([';', ',', '\t'])('finds out that %j separates the cells', (delimiter) => {
  const text = ['username', 'password', 'notes'].join(delimiter);
  const file = read(`${text}\r\nann${delimiter}pw${delimiter}"a ""b""\nc"\r\n\r\n`);
  expect(file.delimiter).toBe(delimiter);
  expect(file.hasHeadings).toBe(true);
  expect(file.rows[1]).toEqual({ number: 2, cells: ['ann', 'pw', 'a "b"\nc'] });
  expect(file.rows).toHaveLength(2);
});

it('counts rows as a spreadsheet does, empty ones included', () => {
  const { rows, hasHeadings } = read('ann,pw\n\n,\nbob,pw\n');
  expect(rows.map(({ number }) => number)).toEqual([1, 4]);
  expect(hasHeadings).toBe(false);
});

it('knows every end of a line, also where a file mixes them', () => {
  expect(read('a;b\nc;d\r\ne;f\rg;h').rows.map(({ cells }) => cells)).toEqual([
    ['a', 'b'],
    ['c', 'd'],
    ['e', 'f'],
    ['g', 'h'],
  ]);
});

it('keeps empty cells between others, not the empty columns behind them', () => {
  const { rows, width } = read('a;;c;;;\n"";b;;"";;\n');
  expect(rows.map(({ cells }) => cells)).toEqual([
    ['a', '', 'c'],
    ['', 'b'],
  ]);
  expect(width).toBe(3);
});

it('takes a quote inside of a cell as it stands', () => {
  expect(read('ann;5" screen;"a;b" \n').rows[0]?.cells).toEqual(['ann', '5" screen', 'a;b']);
});

it('reads twenty thousand rows below headings, and counts those of a file that has more', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => `line-${index};password-${index};1`).join('\n');
  expect(read(`${heads}\n${lines(20_000)}`).rows).toHaveLength(20_001);
  expect(refused(`${heads}\n${lines(20_001)}`)).toEqual({ kind: 'tooManyRows', rows: 20_001 });
  expect(refused(`${heads}\n${lines(130_000)}`)).toEqual({ kind: 'tooManyRows', rows: 130_000 });
  expect(refused('a;b\n'.repeat(1_250_000))).toEqual({ kind: 'tooManyRows', rows: 1_250_000 });
});

it('skips millions of empty rows', () => {
  expect(read(`${heads}\n${'\n'.repeat(5_000_000)}ann;pw;1`).rows[1]?.number).toBe(5_000_002);
  expect(refused(',\n'.repeat(2_500_000))).toEqual({ kind: 'empty' });
});

it('counts the columns of a row that has too many', () => {
  const wide = (count: number) =>
    Array.from({ length: count }, (_, index) => `c${index}`).join(';');
  expect(read(`${wide(100)}\na;b`).width).toBe(100);
  expect(refused(`a;b\n${wide(101)}`)).toEqual({ kind: 'tooManyColumns', columns: 101 });
  expect(refused(wide(50_000))).toEqual({ kind: 'tooManyColumns', columns: 50_000 });
  expect(read(`${heads}${';'.repeat(4_000_000)}`).width).toBe(3);
});

it.each([
  ['to the end of the file', `${heads}\nann;pw;1\nbob;"pw;1\ncid;pw;1\n`, 3],
  ['up to a quote of a later row', `${heads}\nann;"pw;1\nbob;pw;1\ncid;"pw";1\n`, 2],
  ['and text goes on behind it', `${heads}\r\nann;"p"w;1\r\n`, 2],
  ['in the first row', 'ann;"pw;1\nbob;pw;1', 1],
  ['in the first cell', '"ann;pw;1\nbob;pw;1', 1],
  ['in the last cell', `${heads}\rann;pw;"`, 2],
  ['below the hint, which is a line of the file', `sep=;\n${heads}\nann;"pw`, 3],
  ['behind a cell of several lines', `${heads}\nann;"p\nw";1\nbob;"pw;1`, 4],
])('names the line of a quote that is open %s', (_name, text, line) => {
  expect(refused(text)).toEqual({ kind: 'quotes', line });
});

it('stops at the first of millions of unmatched quotes', () => {
  expect(refused(`a;${'"b'.repeat(2_500_000)}`)).toEqual({ kind: 'quotes', line: 1 });
  expect(read(`a;"${'""'.repeat(2_000_000)}"`).rows[0]?.cells[1]).toHaveLength(2_000_000);
});

it.each([
  ['sep=;\r\n', ';'],
  ['sep=,\n', ','],
  ['SEP=|\n', '|'],
  ['"sep=;"\r\n', ';'],
  ['sep=;;;\r\n', ';'],
  ['sep=\t\n', '\t'],
])('obeys the hint %j and counts it as no row', (hint, delimiter) => {
  const file = read(`${hint}username${delimiter}password\nann${delimiter}a\n`);
  expect(file).toMatchObject({ delimiter, hasHeadings: true });
  expect(file.rows).toEqual([
    { number: 1, cells: ['username', 'password'] },
    { number: 2, cells: ['ann', 'a'] },
  ]);
});

it.each([
  ['UTF-8', bytes('\xc5\xbc;b'), 'ż'],
  ['UTF-8', bytes('\xef\xbb\xbf\xc5\xbc;b'), 'ż'],
  ['UTF-16', bytes('\xff\xfe\x7c\x01;\0b\0'), 'ż'],
  ['UTF-16', bytes('\xfe\xff\x01\x7c\0;\0b'), 'ż'],
  ['Windows-1252', bytes('M\xfc\x80;b'), 'Mü€'],
])('reads %s', (encoding, content, name) => {
  const file = shown(fileIn(readBytes('a.csv', content, 'en')));
  expect(file.encoding).toBe(encoding);
  expect(file.rows[0]?.cells).toEqual([name, 'b']);
});

it('reads the code page of Polish spreadsheets for a Polish reader', () => {
  const file = fileIn(readBytes('a.csv', bytes('\xafo\xb3\xb9d\x9f'), 'pl'));
  expect(file).toMatchObject({ encoding: 'Windows-1250', all: [{ cells: ['Żołądź'] }] });
});

it.each([
  ['a workbook', 'PK\x03\x04\x14\0\x06\0', 'workbook'],
  ['an old workbook', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'workbook'],
  ['a picture', '\x89PNG\r\n\x1a\n\0\0\0\r', 'notText'],
  ['bytes of no code page', 'a\x81b', 'notText'],
  ['UTF-16 without a mark', 'a\0;\0b\0', 'notText'],
  ['half of a UTF-16 letter', '\xff\xfea\0\x00\xd8', 'notText'],
  ['UTF-16 cut in a letter', '\xff\xfea\0b', 'notText'],
  ['nothing', '', 'empty'],
  ['a mark alone', '\xef\xbb\xbf', 'empty'],
])('refuses %s', (_name, content, kind) => {
  expect(problemIn(readBytes('a.csv', bytes(content), 'en'))).toEqual({ kind });
});

it('reports letters lost before the file was chosen', () => {
  expect(read('ann;J\ufffdrgen').hasLostLetters).toBe(true);
  expect(read('ann;Jürgen').hasLostLetters).toBe(false);
});

it('refuses more than 10 MB without reading the file', () => {
  const mb = 1024 * 1024;
  expect(sizeProblem(10 * mb)).toBeUndefined();
  expect(sizeProblem(10 * mb + 1)).toEqual({ kind: 'tooLarge', megabytes: 10.1 });
});

it('says before it is sent that the chosen columns are more than a call may hold', () => {
  const notes = 'n'.repeat(3000);
  const rows = Array.from({ length: 1000 }, (_, index) => `line-${index};pw;1;${notes}`);
  const draft = draftOf(fileIn(readText([`${heads};notes`, ...rows].join('\n'))));
  const excess = (meant: typeof draft) =>
    excessMegabytes(importBody(meant, linesOf(meant, 'UTC'), null), 2);
  expect(excess(draft)).toBeCloseTo(3, 0);
  expect(excess({ ...draft, mapping: ['username', 'password', null, null] })).toBe(undefined);
});
