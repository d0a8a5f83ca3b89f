// @module-tag thorough

import { describe, expect, test, vi } from 'vitest';
import { lineOfRow } from './csv-line.ts';
import { decode, textRows } from './decode.ts';
import type { FoundLine } from './found-line.ts';
import { guessFormat, mappingOf, readLinesFile } from './read-file.ts';

// A reader whose time grows with the square of the length would take an hour for a megabyte.
vi.setConfig({ testTimeout: 60_000 });

const MEGABYTE = 1024 * 1024;
const KEPT = 4096;
const of = (sign: string, length: number) =>
  sign.repeat(Math.ceil(length / sign.length)).slice(0, length);

function readText(text: string): readonly FoundLine[] {
  const read = readLinesFile(Buffer.from(text));
  if ('problem' in read) throw new Error(read.problem.kind);
  const { file } = read;
  if (file.format !== 'csv') return [...file.lines, ...file.switchedOff];
  const mapping = mappingOf(file);
  return file.rows.map((row) => lineOfRow(file, row, mapping, 'UTC'));
}

const signs = {
  blanks: ' ',
  'whole days': '31.12.2027 ',
  words: 'until ',
  braces: '{ ',
  returns: '\r',
};
const places = {
  'a cell': (text: string) => `username;password;notes\nlong;pw;"${text}x"\nshort;pw;\n`,
  'a password': (text: string) => `username;password;notes\nlong;"${text}x";\nshort;pw;\n`,
  'a comment': (text: string) => `F: long pw 1 0 0 # ${text}x\nF: short pw\n`,
  options: (text: string) => `F: long pw ${text}x\nF: short pw\n`,
  'a comment behind a sign': (text: string) => `#F: long pw # ${text}x\nF: short pw\n`,
  'a description': (text: string) =>
    `[account]\nuser = long\npwd = pw\ndescription = d${text}x\n[account]\nuser = short\npwd = pw\n`,
};

describe.each(Object.entries(places))('%s', (place, fileOf) => {
  test.each(Object.entries(signs))(
    'with a megabyte of %s is refused with its row alone',
    (_, sign) => {
      // CCcam's rows end at this character.
      if (sign === '\r' && /comment|options/.test(place)) return;
      const lines = readText(fileOf(of(sign, MEGABYTE)));
      const faults = lines.map(({ username, fault }) => [username, fault?.code ?? null]);
      expect(faults).toHaveLength(2);
      expect(faults).toContainEqual(['long', 'CELL_TOO_LONG']);
      expect(faults).toContainEqual(['short', null]);
    },
  );

  test.each(Object.entries(signs))('with 4 KB of %s, ten times, is read', (name, sign) => {
    if (name === 'returns') return;
    const one = fileOf(of(sign, KEPT - 200));
    const isHeaded = one.startsWith('username');
    const [heading, rest] = isHeaded ? [one.slice(0, one.indexOf('\n') + 1), one] : ['', one];
    const rows = rest.slice(heading.length);
    const codes = readText(heading + rows.repeat(10)).map(({ fault }) => fault?.code);
    expect(codes).toHaveLength(20);
    expect(codes, place).not.toContain('CELL_TOO_LONG');
  });
});

test('a cell of 4 KB is read whole', () => {
  const notes = 'n'.repeat(KEPT);
  const [line] = readText(`username;password;notes\nlong;pw;${notes}\n`);
  expect(line).toMatchObject({ fault: null, texts: { notes } });
});

test('a long value of a key that is not read does not matter', () => {
  const [line] = readText(`[account]\nuser = a\npwd = b\nident = ${of('0100:00006A,', 9000)}\n`);
  expect(line).toMatchObject({ username: 'a', fault: null, notTaken: ['ident'] });
});

test.each(Object.entries(signs))('the format of a megabyte of %s is guessed', (_, sign) => {
  expect(guessFormat(`${of(sign, MEGABYTE)}x`)).toBe('csv');
  expect(guessFormat(`sep=${of(sign, MEGABYTE)}x`)).toBe('csv');
  expect(guessFormat(`F${of(sign, MEGABYTE)}x`)).toBe('csv');
  expect(guessFormat(`\n${of(' ', MEGABYTE)};${of('\t', MEGABYTE)}F : a`)).toBe('cccam');
});

test('every second row in another encoding is known as such', () => {
  const utf8 = Buffer.from('\u00fc\n');
  const latin1 = Buffer.from([0xfc, 0x0a]);
  const pairs = 100_000;
  const decoded = decode(Buffer.concat(Array(pairs).fill(Buffer.concat([utf8, latin1]))));
  if ('problem' in decoded) throw new Error(decoded.problem);
  const rows = textRows(decoded).slice(0, 2 * pairs);
  expect(rows).toHaveLength(2 * pairs);
  expect(rows.every(({ isForeign }, row) => isForeign === (row % 2 === 1))).toBe(true);
});

test('a file of a hundred thousand columns is no list', () => {
  expect(readLinesFile(Buffer.from(`username;password${';active'.repeat(99_998)}`))).toEqual({
    problem: { kind: 'tooManyColumns', columns: 100_000 },
  });
});

const xml = `<?xml version="1.0"?>
<xml-user-manager>
  <user name="ux01" password="pw-01" profiles="a b" enabled="true"/>
</xml-user-manager>`;
test.each([
  ['XML', xml],
  ['XML', '<users><user name="a"/></users>'],
  ['HTML', '\n<!DOCTYPE html><html><body><table></table></body></html>'],
  ['HTML', '<table border="1"><tr><th>username</th><th>password</th></tr></table>'],
  ['JSON', '[{"username": "a", "password": "b"}]'],
  ['JSON', '{\n  "lines": [["a", "b"]]\n}'],
  ['SQL', '-- phpMyAdmin SQL Dump\n-- version 5\nINSERT INTO `lines` VALUES (1);'],
  ['SQL', '/*!40101 SET NAMES utf8 */;\nINSERT INTO users VALUES (1);'],
  ['SQL', "INSERT INTO `lines` (`username`, `password`) VALUES ('a', 'b');"],
])('users as %s are refused by the name of the form', (form, text) => {
  expect(readLinesFile(Buffer.from(text))).toEqual({
    problem: { kind: 'otherForm', form },
  });
});

test('a file with a line of more than 8 MB is refused, however long it is', () => {
  const row = Buffer.from('F: a b\n');
  const long = Buffer.alloc(8 * MEGABYTE + 1, 'x');
  expect(readLinesFile(Buffer.concat([row, long]))).toEqual({ problem: { kind: 'longLine' } });
  const inTwo = Buffer.concat([row, long.subarray(2), row.subarray(-1), long.subarray(2)]);
  expect(readLinesFile(inTwo)).not.toEqual({ problem: { kind: 'longLine' } });
});

test.each([
  '<username>;<password>\na;b\n',
  'username,password\n<a>,[{b\n',
  '[account]\nuser = a\npwd = b\n',
  '-- our customers\nF: a b\n',
])('a list is not taken for another form: %j', (text) => {
  expect(readLinesFile(Buffer.from(text))).toHaveProperty('file');
});
