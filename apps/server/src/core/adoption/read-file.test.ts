import { describe, expect, test } from 'vitest';
import { readDay } from './day-in-file.ts';
import type { FoundAccount, FoundLine } from './outcome.ts';
import { type Format, readFoundFile } from './read-file.ts';

const read = (text: string, format: Format | null = null) =>
  readFoundFile(Buffer.from(text), format);

function linesIn(text: string, format: Format | null = null): FoundLine[] {
  const found = read(text, format);
  if (found.kind !== 'lines') throw new Error(found.format);
  return found.rows;
}

function accountsIn(text: string): FoundAccount[] {
  const found = read(text);
  if (found.kind !== 'accounts') throw new Error(found.format);
  return found.rows;
}

const faultOf = (work: () => unknown) => {
  try {
    return { value: work() };
  } catch (error) {
    return { problem: (error as Error).message };
  }
};

describe('a day of a file', () => {
  test.each([
    ['2027-03-05', '2027-03-05'],
    [' 2027-3-5 ', '2027-03-05'],
    ['2027/03/05', '2027-03-05'],
    ['2027-03-05 23:59:59', '2027-03-05'],
    ['2027-03-05T00:00', '2027-03-05'],
    // In Warsaw it is the next day already.
    ['2027-03-05T23:30:00Z', '2027-03-06'],
    ['2027-03-05 00:30:00+02:00', '2027-03-04'],
    ['05-03-2027', '2027-03-05'],
    ['5.3.2027', '2027-03-05'],
    ['05.03.2027 12:00', '2027-03-05'],
    ['31/12/2026', '2026-12-31'],
    ['12/31/2026', '2026-12-31'],
    ['05/05/2026', '2026-05-05'],
    ['1798758000', '2027-01-01'],
    ['1798757999', '2026-12-31'],
    ['1798758000000', '2027-01-01'],
    ['', null],
    ['Never', null],
    ['0', null],
    ['0000-00-00', null],
  ])('is read from %j', (text, day) => {
    expect(readDay(text, 'Europe/Warsaw')).toBe(day);
  });

  test.each([
    ['03/04/2026', '03/04/2026 may be two different days: write it as YYYY-MM-DD or DD.MM.YYYY'],
    ['30.02.2027', '30.02.2027 is no day from 1900 to 2099'],
    ['2100-01-01', '2100-01-01 is no day from 1900 to 2099'],
    ['13/13/2026', '13/13/2026 is no day from 1900 to 2099'],
    ['99999999999999', '99999999999999 is no date that can be read'],
    ['12.1.27', '12.1.27 is no date that can be read'],
    ['2027-03.05', '2027-03.05 is no date that can be read'],
    ['soon', 'soon is no date that can be read'],
    // 1830297600 that lost its last digit.
    ['183029760', '183029760 is no date that can be read'],
    ['183029760000', '183029760000 is no date that can be read'],
  ])('is refused in %j', (text, problem) => {
    expect(faultOf(() => readDay(text, 'UTC'))).toEqual({ problem });
  });
});

describe('CCcam.cfg', () => {
  test('gives the accounts of its F lines with what stands behind them', () => {
    const rows = linesIn(
      [
        '# F: left out 1 0 0',
        'C: cards.example 12000 user pass',
        'F: plain pw-1',
        '  f :\ttabbed   pw-2 2 0 0 { 0:0:2, 0100:000080:1 } { } { 17:00-21:00 }\r',
        'F: dated pw-3 1 0 1 { 0:0:2 } # paid until 31-12-2026, Jürgen',
        'F: braced pw-4 1 0 0 { 0:0:1 } { 2027-01-05 }',
        'F: two pw-5 # since 01-01-2026 exp: 01-02-2026',
        'F: unclear pw-6 # 01-01-2026 or 01-02-2026',
        'F: hash#tag pw#7',
        'F: alone',
        'F: host pw-8 1 0 0 client.example #10.0.2.2026',
        'SERVER LISTEN PORT : 12000',
      ].join('\n'),
    );
    expect(
      rows.map(({ number, username, password, expiry, notes, fault }) =>
        [number, username, password, expiry, notes, fault?.message ?? null].join(' | '),
      ),
    ).toEqual([
      '3 | plain | pw-1 |  |  | ',
      '4 | tabbed | pw-2 |  |  | ',
      '5 | dated | pw-3 | 31-12-2026 | paid until 31-12-2026, Jürgen | ',
      '6 | braced | pw-4 | 2027-01-05 |  | ',
      '7 | two | pw-5 | 01-02-2026 | since 01-01-2026 exp: 01-02-2026 | ',
      '8 | unclear | pw-6 |  | 01-01-2026 or 01-02-2026 | The row holds several dates: it is not clear which is the end',
      '9 | hash#tag | pw#7 |  |  | ',
      '10 | alone |  |  |  | ',
      '11 | host | pw-8 |  | 10.0.2.2026 | ',
    ]);
  });

  test('has no accounts in a file without F lines', () => {
    expect(linesIn('SERVER LISTEN PORT : 12000\n', 'cccam')).toEqual([]);
  });
});

describe('oscam.user', () => {
  test('gives the accounts of its sections', () => {
    const rows = linesIn(
      [
        '\ufeff# made by hand',
        '[account]',
        'user = anna',
        'PWD=with = sign',
        'expdate = 2027/03/05',
        'description = Anna, paid',
        '[ Account ]',
        'user                          = bob',
        'pwd                           = pw-b',
        ';pwd = no',
        'disabled                      = 1',
        'expdate =',
        '[global]',
        'user = nobody',
        '[account]',
        'pwd = nameless',
        'disabled = 0',
      ].join('\r\n'),
    );
    expect(rows).toMatchObject([
      {
        number: 2,
        username: 'anna',
        password: 'with = sign',
        expiry: '2027/03/05',
        notes: 'Anna, paid',
        is_suspended: false,
      },
      { number: 7, username: 'bob', password: 'pw-b', expiry: null, is_suspended: true },
      { number: 15, username: '', password: 'nameless' },
    ]);
    expect(rows).toHaveLength(3);
  });
});

describe('CSV of lines', () => {
  test.each([
    [',', 'comma'],
    [';', 'semicolon'],
    ['\t', 'tab'],
  ])('is separated by %j', (sign) => {
    const text = [
      ['Login', 'Pass', 'Exp_Date', 'Reseller', 'Server Name', 'Full name', 'Comment', 'Shoe size'],
      ['anna', '"pw ""1"""', '2027-03-05', 'r@x.example', 'N1', 'Anna A', '"two\nrows"', '38'],
      [],
      ['bob', 'pw-2', '', '', '', '', "'=1+1"],
    ];
    const found = read(`\ufeff${text.map((row) => row.join(sign)).join('\r\n')}\r\n`);
    expect(found).toMatchObject({ format: 'CSV of lines', ignored: ['Shoe size'] });
    expect(found.rows).toMatchObject([
      {
        number: 2,
        username: 'anna',
        password: 'pw "1"',
        expiry: '2027-03-05',
        owner: 'r@x.example',
        server: 'N1',
        name: 'Anna A',
        notes: 'two\nrows',
        is_suspended: null,
      },
      { number: 4, username: 'bob', expiry: null, owner: null, notes: '=1+1' },
    ]);
  });

  test.each([
    ['status', 'Active', false],
    ['status', 'expired', false],
    ['status', 'Suspended', true],
    ['enabled', '0', true],
    ['is_active', 'yes', false],
    ['disabled', '1', true],
    ['disabled', 'no', false],
    ['status', '', null],
  ])('says by %s %j whether a line is suspended', (column, cell, is_suspended) => {
    expect(linesIn(`user,pass,${column}\nanna,pw,${cell}`)[0]).toMatchObject({
      is_suspended,
      fault: null,
    });
  });

  test('is not guessed where a word says neither', () => {
    const [row] = linesIn('user,pass,status\nanna,pw,vip');
    expect(row?.fault?.message).toBe('"vip" says neither active nor disabled');
  });

  test('is refused where a row may be cut off, not where its last cells are left out', () => {
    const faultsIn = (rows: string) =>
      linesIn(`user,pass,expiry,notes\n${rows}`).map(({ fault }) => fault?.message ?? null);
    const cut = (cells: number) =>
      `The row has ${cells} of 4 cells: it may be cut off. Write its empty cells too`;
    expect(faultsIn('anna,pw,2027-03-05\nbob,pw-2\neve\nkim,pw-3,,')).toEqual([
      null,
      cut(2),
      cut(1),
      null,
    ]);
    expect(faultsIn('anna,pw,2027-03-05\n')).toEqual([null]);
    // Perhaps the 15th.
    expect(faultsIn('anna,pw,2027-03-1')).toEqual([cut(3)]);
  });

  test('reads the hint of spreadsheets and older encodings', () => {
    const bytes = Buffer.from('sep=|\nuser|pass|name\nanna|a;b|J\xfcrgen', 'latin1');
    expect(readFoundFile(bytes, null).rows).toMatchObject([
      { number: 2, password: 'a;b', name: 'Jürgen' },
    ]);
    const utf16 = Buffer.from('\ufeffuser;pass\nżaba;pw', 'utf16le');
    expect(readFoundFile(utf16, null).rows).toMatchObject([{ username: 'żaba' }]);
  });

  test.each([
    ['user;pass\nanna;"pw', 'The quotes in row 2 do not match. Nothing was read'],
    ['a;b\n1;2', 'The first row names no column username and password. Nothing was read'],
    ['user;mail\n1;2', 'The first row names no column password. Nothing was read'],
    ['PK\0\0', 'This is no text. Of a workbook save a CSV file and take that'],
  ])('is refused as a whole: %j', (text, problem) => {
    expect(faultOf(() => read(text))).toEqual({ problem });
  });
});

test('a CSV of accounts is known by its columns', () => {
  const text = 'E-mail;Full name;Group;Credits;Reseller\nr@x.example;Rita;Resellers;50;\n';
  expect(accountsIn(text)).toMatchObject([
    { number: 2, email: 'r@x.example', full_name: 'Rita', group: 'Resellers', credits: '50' },
  ]);
  expect(read('email;user;pass;expiry;credits\nx@y.example;a;b;2027-01-01;5')).toMatchObject({
    kind: 'lines',
    ignored: ['credits'],
  });
  expect(read('email;password\nx@y.example;b', 'accounts').kind).toBe('accounts');
  // Without its last cells it would belong to nobody.
  expect(accountsIn('email;group;owner\nr@x.example;Resellers\n')).toMatchObject([
    { fault: { message: expect.stringContaining('The row has 2 of 3 cells') } },
  ]);
});
