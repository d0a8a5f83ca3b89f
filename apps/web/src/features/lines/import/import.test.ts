import { expect, it } from 'vitest';
import { guessMapping, missingFields, remapped, sentCell } from './import-fields.ts';
import { decode, readText, shownCell } from './read-file.ts';

it.each([
  ['en', 'Username,Password,Months,E-mail,Notes'],
  ['de', 'Benutzername,Kennwort,Laufzeit,E-Mail-Adresse,Notizen'],
  ['pl', 'Użytkownik,Hasło,Miesiące,Adres e-mail,Uwagi'],
  ['pt', 'Utilizador,Palavra-passe,Duração,Correio eletrónico,Observações'],
])('knows the columns of a file in %s', (_language, headings) => {
  const expected = ['username', 'password', 'subscription_months', 'email', 'notes'];
  expect(guessMapping(headings.split(','))).toEqual(expected);
});

it('leaves out what it does not know, and a second column of the same name', () => {
  expect(guessMapping(['User', 'Shoe size', 'login'])).toEqual(['username', null, null]);
});

it('gives a field to one column only', () => {
  expect(remapped(['username', 'password', null], 2, 'username')).toEqual([
    null,
    'password',
    'username',
  ]);
  expect(remapped(['username', null, 'name'], 0, null)).toEqual([null, null, 'name']);
});

it('says what is missing: a name, a password and how long', () => {
  expect(missingFields(['name'])).toEqual(['username', 'password', 'subscription_months']);
  expect(missingFields(['username', 'password', 'is_trial'])).toEqual([]);
});

it('sends yes and no as the panel knows them, and anything else as it stands', () => {
  const sent = ['Ja', 'tak', 'NÃO', 'nein', 'maybe', ''].map((text) => sentCell('is_trial', text));
  expect(sent).toEqual(['true', 'true', 'false', 'false', 'maybe', '']);
  expect(sentCell('notes', 'ja')).toBe('ja');
});

it.each([';', ',', '\t'])('finds out that %j separates the cells', (delimiter) => {
  const text = ['username', 'password', 'notes'].join(delimiter);
  const read = readText('a.csv', `${text}\r\nann${delimiter}pw${delimiter}"a ""b""\nc"\r\n\r\n`);
  expect(read.delimiter).toBe(delimiter);
  expect(read.hasHeadings).toBe(true);
  expect(read.rows[1]).toEqual({ number: 2, cells: ['ann', 'pw', 'a "b"\nc'] });
  expect(read.rows).toHaveLength(2);
});

it('counts rows as a spreadsheet does, empty ones included', () => {
  const { rows, hasHeadings } = readText('a.csv', 'ann,pw\n\n,\nbob,pw\n');
  expect(rows.map(({ number }) => number)).toEqual([1, 4]);
  expect(hasHeadings).toBe(false);
});

it('reads the encodings of spreadsheets', () => {
  const bytes = (...codes: number[]) => new Uint8Array(codes);
  expect(decode(bytes(0xef, 0xbb, 0xbf, 0xc5, 0xbc))).toBe('ż');
  expect(decode(bytes(0x4d, 0xfc, 0x80))).toBe('Mü€');
  expect(decode(bytes(0xff, 0xfe, 0x7c, 0x01))).toBe('ż');
});

it('shows escaped texts as they are meant', () => {
  expect(["'=1+1", "'-x", "''=y", "'plain", '=z'].map(shownCell)).toEqual([
    '=1+1',
    '-x',
    "'=y",
    "'plain",
    '=z',
  ]);
});
