import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { noChoices, withChoices } from './choices.ts';
import { type FoundLine, summarise } from './found-line.ts';
import type { ConfigurationFile } from './read-file.ts';
import { fileIn, linesIn } from './testing/lines-in.ts';

describe('files that operators have', () => {
  const field = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url));
  const toldAll = (rows: readonly FoundLine[]) =>
    rows.map((row) => {
      const { number, username, password, expiry, isSuspended, fault } = row;
      const state = isSuspended ? ['off'] : [];
      return [number, username, password, fault?.code ?? expiry, ...state].join(' ');
    });
  const kinds = (rows: readonly FoundLine[]) =>
    Object.fromEntries(summarise(rows).notTaken.map(({ kind, count }) => [kind, count]));

  test('forms of the F line', () => {
    const rows = linesIn(field('01-CCcam-fline-forms.cfg'));
    const sound = Array.from({ length: 11 }, (_, index) => {
      const end = String(index + 1).padStart(2, '0');
      return `${index + 8} form${end} pw-${end} `;
    });
    expect(toldAll(rows)).toEqual([...sound, '19 form12 pw#12 ', '20 form13  ', '21   ']);
    expect(rows[10]?.texts).toEqual({ notes: 'no blank before' });
    expect(kinds(rows)).toEqual({
      hops: 11,
      rights: 10,
      shareLimits: 8,
      channelLimits: 1,
      timeSlots: 1,
      hosts: 2,
    });
  });

  test('the end of a line in its comment', () => {
    const file = field('02-CCcam-expiry-in-comment.cfg');
    const other = 'DAY_OTHER_ORDER';
    const dayFirst = linesIn(file, { dates: 'd-m-y' });
    expect(dayFirst.map(({ expiry, fault }) => fault?.code ?? expiry)).toEqual([
      ...['2027-05-13', '2027-05-13', '2027-05-13', '2027-05-13', other],
      ...['DAYS_SEVERAL', '2027-06-05', null, null, null],
      ...[null, null, null, null, '2027-05-13'],
      ...['2027-05-13', 'OPTIONS_UNKNOWN', null],
    ]);
    const yearFirst = linesIn(file, { dates: 'y-m-d' });
    expect(yearFirst.map(({ expiry, fault }) => fault?.code ?? expiry)).toEqual([
      ...[other, other, other, other, '2027-05-13'],
      ...['DAYS_SEVERAL', other, null, null, null, null, null, null, null, other],
      ...[other, 'OPTIONS_UNKNOWN', null],
    ]);
  });

  test('switched off by a # in front', () => {
    const file = fileIn(field('03-CCcam-suspended-by-comment.cfg')) as ConfigurationFile;
    const chosen = (lines: readonly FoundLine[]) =>
      toldAll(lines.map((line) => withChoices(line, { ...noChoices, dates: 'd-m-y' })));
    expect(chosen(file.lines)).toEqual(['1 live01 pw-01 2027-12-31', '9 live07 pw-07 2027-12-31']);
    expect(file.switchedOffRows).toEqual([2, 3, 4, 5, 7]);
    expect(chosen(file.switchedOff)).toEqual([
      '2 off02 pw-02 2027-12-31 off',
      '3 off03 pw-03  off',
      '4 off04 pw-04  off',
      '5 off05 pw-05  off',
      '7 off06 pw-06 2026-02-01 off',
    ]);
  });

  test('an oscam.user as the web interface saves it', () => {
    const rows = linesIn(field('05-oscam-webif-saved.user'));
    expect(toldAll(rows)).toEqual([
      '4 nord_sofa1 pw-nord 2027-06-26',
      '18 gast_frei pw-gast ',
      '27 sued_off pw-sued 2027-11-12 off',
      '37 Testkunde_Wohnzimmer1 pw-test 2027-12-31',
      '43 dvbapi  ',
      '48 monitor pw-mon MONITOR_ACCOUNT',
      '54 old_one pw-old 2022-06-30',
    ]);
    expect(rows[0]?.texts.notes).toBe(
      'zahlt 60€ bar am 30-03-2027, gilt bis 30-06-2027 (Tel. 0170-0000001)',
    );
    expect(kinds(rows)).toMatchObject({ group: 6, services: 2, uniq: 2, max_connections: 1 });
    expect(summarise(rows).endless).toEqual([18, 43]);
  });

  test('a note behind a value', () => {
    expect(toldAll(linesIn(field('06-oscam-inline-comments.user')))).toEqual([
      '1 ic01 pw-01 2027-12-31 off',
      '8 ic02 pw-02 2027-12-31',
      '15 ic03 pw-03 2027-12-31 off',
      '22 ic04 pw-04 2027-12-31 off',
      '29 ic05 pw-05 STATE_WITHOUT_CHOICE',
      '36 ic06 pw-06 2027-12-31',
      '43 ic07 pw-07   # his old one was 1234 2027-12-31',
      '49 ic08 pw#08 2027-12-31',
      '55 ic09 "pw-09" 2027-12-31',
      '61 ic10 pw=10=x 2027-12-31',
    ]);
  });

  test('forms of expdate', () => {
    const rows = linesIn(field('07-oscam-expdate-forms.user'));
    const no = 'DAY_NOT_OSCAM';
    const ends = ['2027-12-31', '2027-01-05', '2027-01-05', '2027-01-05', no, no, no, no, no, no];
    expect(rows.map(({ expiry, fault }) => fault?.code ?? expiry)).toEqual([
      ...ends,
      ...[null, no, '2099-12-31', no],
    ]);
  });

  test('one byte of another encoding', () => {
    const rows = linesIn(field('09-oscam-mixed-encoding.user'));
    expect(rows.map(({ username, password, texts }) => [username, password, texts.notes])).toEqual([
      ['me01', 'paßwort', 'Jürgen, 20€'],
      ['me02', 'pw-02', 'año 2027, Muñoz'],
      ['müller', 'pw-03', undefined],
    ]);
    expect(summarise(rows).notAscii).toEqual([1, 15]);
  });

  test('an export of CMUM', () => {
    const rows = linesIn(field('10b-cmum-export-with-heading.csv'));
    expect(toldAll(rows)).toEqual([
      '2 paul01 pw-01 2027-01-01',
      '3 rita02 pw-02  off',
      // Two cells of this row contain the separator, so the date is below another heading.
      '4 tom03 pw-03 TOO_MANY_CELLS',
    ]);
    expect(rows[0]).toMatchObject({
      added: '2026-01-01',
      texts: { name: 'Paul (shop)', notes: 'pays cash on the 1st', email: 'paul@example.org' },
    });
  });

  test('the table of lines of the Xtream family', () => {
    const rows = linesIn(field('11-xtream-lines-table.csv'));
    expect(toldAll(rows)).toEqual([
      '2 xt01 pw-01 2028-01-01',
      '3 xt02 pw-02 2028-01-01 off',
      '4 xt03 pw-03 2028-01-01 off',
      '5 xt04 pw-04 ',
      '6 xt05 pw-05 2028-01-01',
    ]);
    expect(rows.map(({ texts }) => texts)).toEqual([
      { notes: 'paid, cash' },
      { notes: 'banned: shares his line' },
      {},
      {},
      { notes: 'both' },
    ]);
    expect(rows[0]?.added).toBe('2023-11-14');
    expect(kinds(rows)).toMatchObject({ member_id: 5, reseller_notes: 1, is_trial: 5, bouquet: 5 });
  });

  test('what spreadsheets and exporters do to cells', () => {
    const rows = linesIn(field('12-excel-guards.csv'));
    expect(toldAll(rows)).toEqual([
      '2 00123 0042 2027-12-31',
      '3 00124 0043 2027-12-31',
      "4 '00125 '0044 NAME_GUARDED",
      '5 1,23457E+11 pw-04 NUMBER_SPOILED',
      '6 ex05 1E+05 NUMBER_SPOILED',
      '7 ex06 pw-06 DAY_SERIAL',
      '8 ex07 pw-07 DAY_UNREADABLE',
      '9 ex08 pw-08 DAY_UNREADABLE',
      '10 ex09 pw-09 DAY_UNREADABLE',
      '11 ex10 pw;10 2027-12-31',
      '12 ex11 -pw11 2027-12-31',
      '13 ex12  pw-12 2027-12-31',
    ]);
    expect(rows[9]?.texts.notes).toBe('two\r\nlines; and a "quote"');
    expect(rows[10]?.texts.notes).toBe('=1+1');
  });
});
