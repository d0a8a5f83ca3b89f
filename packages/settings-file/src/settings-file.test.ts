import { tmpdir } from 'node:os';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { ambiguousSettings, checkSettingsFiles } from './settings-file.ts';

const clear: [line: string, value: string][] = [
  ['A=', ''],
  ['A=plain', 'plain'],
  ['A=  10.0.0.1:8080 10.0.0.2:8080  ', '10.0.0.1:8080 10.0.0.2:8080'],
  ['A=AbC+/9==', 'AbC+/9=='],
  [
    'A=postgres://u:p%23q@127.0.0.1:5432/n?sslmode=require',
    'postgres://u:p%23q@127.0.0.1:5432/n?sslmode=require',
  ],
  ["A='My#Secret $5 \\ ` \"'", 'My#Secret $5 \\ ` "'],
  ['A="it\'s # a comment no more"', "it's # a comment no more"],
];
const ambiguous = [
  'A=My#Secret',
  'A=secret # a comment',
  'A= # a comment alone',
  "A='secret' # a comment",
  'A=pa$word',
  'A=back\\slash',
  "A=it's",
  'A=`ticks`',
  'A="pa$word"',
  'A="two\\nlines"',
  'A="of two lines',
  "A='one'two",
  'export A=value',
  'A= ',
  'A=\t',
];

test.each(clear)('%s is read as it stands', (line, value) => {
  expect(ambiguousSettings(line)).toEqual([]);
  expect(parseEnv(line)).toEqual({ A: value });
});

test.each(ambiguous)('%s is ambiguous', (line) => {
  expect(ambiguousSettings(`B=1\r\n${line}\r\n# A=com#ment`)).toEqual(['A']);
});

test('a blank value is refused, because the next setting would become it', () => {
  expect(parseEnv('A= \nB=x')).toEqual({ A: 'B=x' });
  expect(ambiguousSettings('A=\r\nB=x')).toEqual(['A']);
});

test('a line that only some readers take for a setting is named by its number alone', () => {
  expect(ambiguousSettings('A=1\nSECRET: value\n\n# fine\nb c')).toEqual(['line 2', 'line 5']);
});

test('a comment behind a blank is refused, because the next setting would become its value', () => {
  expect(parseEnv('# One\n  # B= \nA=x')).not.toHaveProperty('A');
  expect(ambiguousSettings('# One\n  # B= \nA=x')).toEqual(['line 2']);
  expect(ambiguousSettings("A=\n\t# B='\nC=x")).toEqual(['line 2']);
});

test('what only looks like a blank is refused before a name, and an end of line within a value', () => {
  expect(ambiguousSettings('A=1\n\uFEFFB=2\n\u00A0C=3')).toEqual(['line 2', 'line 3']);
  expect(ambiguousSettings('A=1\rB=2')).toEqual(['A']);
});

test('a byte order mark is refused, because the first setting would get another name', () => {
  expect(parseEnv('\uFEFFA=1')).not.toHaveProperty('A');
  expect(ambiguousSettings('\uFEFFA=1')).toEqual(['the byte order mark at its start']);
});

test('a folder is refused in plain words', () => {
  const sentence = `${tmpdir()}: settings are read from a file, and this is a folder`;
  expect(() => checkSettingsFiles([], [`--env-file=${tmpdir()}`])).toThrow(sentence);
});
