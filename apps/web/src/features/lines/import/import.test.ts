import type { JobItem } from '@linekeeper/contract/lines/bulk.ts';
import { expect, it } from 'vitest';
import { draftOf } from './draft.ts';
import { guessMapping, missingFields, remapped, sentCell, shownCell } from './import-fields.ts';
import { problemRowsCsv } from './problem-rows.ts';
import { readText } from './read-file.ts';

it.each([
  ['en', 'Username,Password,Months,E-mail,Notes'],
  ['de', 'Benutzername,Kennwort,Laufzeit,E-Mail-Adresse,Notizen'],
  ['pl', 'Użytkownik,Hasło,Miesiące,Adres e-mail,Uwagi'],
  ['pt', 'Utilizador,Palavra-passe,Duração,Correio eletrónico,Observações'],
])('knows the columns of a file in %s', (_language, headings) => {
  const expected = ['username', 'password', 'subscription_months', 'email', 'notes'];
  expect(guessMapping(headings.split(','))).toEqual(expected);
});

it('ignores unknown headings and a second column of the same name', () => {
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

it('lists missing required fields: username, password and duration', () => {
  expect(missingFields(['name'])).toEqual(['username', 'password', 'subscription_months']);
  expect(missingFields(['username', 'password', 'is_trial'])).toEqual([]);
});

it('sends yes and no as the panel knows them, and anything else as it stands', () => {
  const sent = ['Ja', 'tak', 'NÃO', 'nein', 'maybe', ''].map((text) => sentCell('is_trial', text));
  expect(sent).toEqual(['true', 'true', 'false', 'false', 'maybe', '']);
  expect(sentCell('notes', 'ja')).toBe('ja');
});

it('sends days with dots as the panel knows them, and anything else as it stands', () => {
  const sent = ['5.3.2027', ' 05.12.2027', '2027-03-05', '3/4/2027', '1.2.27'].map((text) =>
    sentCell('expiry_date', text),
  );
  expect(sent).toEqual(['05-03-2027', '05-12-2027', '2027-03-05', '3/4/2027', '1.2.27']);
  expect(sentCell('notes', '5.3.2027')).toBe('5.3.2027');
});

it('shows escaped texts without the apostrophe', () => {
  expect(["'=1+1", "'-x", "''=y", "'plain", '=z'].map(shownCell)).toEqual([
    '=1+1',
    '-x',
    "'=y",
    "'plain",
    '=z',
  ]);
});

it('shortens long texts', () => {
  expect(shownCell('n'.repeat(5000))).toBe(`${'n'.repeat(100)}…`);
});

it('writes the rows that are wrong as they stand in the file, and what is wrong with each', () => {
  const text =
    'Login;Kennwort;Monate;Notiz;\r\nann;pw;1;\r\n\r\nbob;pw;7;"=1+1 ""x"""\r\n-cid;\'-pw;1;\'=2;left\r\n';
  const outcome = readText('lines.csv', text);
  if ('problem' in outcome) throw new Error(outcome.problem.kind);
  const item = (position: number, state: 'waiting' | 'skipped') => ({ position, state }) as JobItem;
  const csv = problemRowsCsv(
    draftOf(outcome.file),
    [item(2, 'waiting'), item(4, 'skipped'), item(5, 'skipped')],
    {
      row: 'Zeile',
      reason: 'Grund',
      column: (number) => `Spalte ${number}`,
      reasonOf: ({ position }) => `-wrong ${position}`,
    },
  );
  expect(csv).toBe(
    [
      '\ufeff"Login","Kennwort","Monate","Notiz","Spalte 5","Zeile","Grund"',
      '"bob","pw","7","\'=1+1 ""x""","","4","\'-wrong 4"',
      '"\'-cid","\'-pw","1","\'=2","left","5","\'-wrong 5"',
      '',
    ].join('\r\n'),
  );
  // Corrected, it is read like any other.
  const again = readText('again.csv', csv.slice(1));
  expect('file' in again && draftOf(again.file).mapping.slice(0, 4)).toEqual([
    'username',
    'password',
    'subscription_months',
    'notes',
  ]);
  expect('file' in again && draftOf(again.file).mapping.slice(5)).toEqual([null, null]);
});
