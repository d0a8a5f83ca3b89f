import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type FileChoices, noChoices, withChoices } from './choices.ts';
import { lineOfRow } from './csv-line.ts';
import { readDay } from './day-of-cell.ts';
import { faultText, orFault } from './faults.ts';
import { type FoundLine, numberOfUnnamed, refuseDuplicates, summarise } from './found-line.ts';
import {
  type ConfigurationFile,
  type FileOptions,
  type LinesFile,
  mappingOf,
  readLinesFile,
} from './read-file.ts';

const clock = { timeZone: 'UTC', today: '2026-11-26' };

function fileIn(bytes: string | Uint8Array, options: FileOptions = {}): LinesFile {
  const content = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  const read = readLinesFile(content, options);
  if ('problem' in read) throw new Error(read.problem.kind);
  return read.file;
}

/** The lines of a file with the choices that somebody made. */
function linesIn(
  bytes: string | Uint8Array,
  { dates, states, ...options }: Partial<FileChoices> & FileOptions = {},
): FoundLine[] {
  const file = fileIn(bytes, options);
  const found =
    file.format === 'csv'
      ? file.rows.map((row) => lineOfRow(file, row, mappingOf(file), clock))
      : file.lines;
  return found.map((line) => withChoices(line, { dates: dates ?? null, states: states ?? {} }));
}

function problemIn(bytes: string | Uint8Array, options: FileOptions = {}) {
  const content = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  const read = readLinesFile(content, options);
  return 'problem' in read ? read.problem : null;
}

const messageOf = ({ fault }: FoundLine) => fault && faultText(fault);
/** The fault; without one *on* or *off*, and the last day if there is one. */
const told = ({ fault, isSuspended, isLeftOut, expiry }: FoundLine) =>
  fault?.code ?? `${isLeftOut ? 'left out' : isSuspended ? 'off' : 'on'} ${expiry ?? ''}`.trim();

describe('a day of a cell', () => {
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
    ['NULL', null],
    ['\\N', null],
    ['0000-00-00', null],
    ['0000-00-00 00:00:00', null],
    ['00.00.0000', null],
  ])('is read from %j', (text, day) => {
    expect(readDay(text, 'Europe/Warsaw')).toBe(day);
  });

  test.each([
    ['03/04/2026', '03/04/2026 could be two different days. Write it as YYYY-MM-DD or DD.MM.YYYY.'],
    ['30.02.2027', '30.02.2027 is not a date between 1900 and 2099'],
    ['2100-01-01', '2100-01-01 is not a date between 1900 and 2099'],
    ['13/13/2026', '13/13/2026 is not a date between 1900 and 2099'],
    ['99999999999999', '99999999999999 cannot be read as a date'],
    ['12.1.27', '12.1.27 cannot be read as a date'],
    ['2027-03.05', '2027-03.05 cannot be read as a date'],
    ['soon', 'soon cannot be read as a date'],
    // 1830297600 that lost its last digit.
    ['183029760', '183029760 cannot be read as a date'],
    ['183029760000', '183029760000 cannot be read as a date'],
    ['46387', '46387 is a spreadsheet’s number for 2026-12-31. Write it as a date.'],
    ['46387.5', '46387.5 is a spreadsheet’s number for 2026-12-31. Write it as a date.'],
  ])('is refused in %j', (text, problem) => {
    const fault = orFault(() => readDay(text, 'UTC'));
    expect(fault !== null && typeof fault === 'object' && faultText(fault)).toBe(problem);
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
        'F: two pw-5 # since 01-01-2026 exp: 01-02-2026',
        'F: hash#tag pw#7',
        'F: alone',
        'F: host pw-8 1 0 0 client.example #10.0.2.2026',
        'SERVER LISTEN PORT : 12000',
      ].join('\n'),
      { dates: 'd-m-y' },
    );
    expect(
      rows.map((row) =>
        [row.number, row.username, row.password, told(row), row.texts.notes].join(' | '),
      ),
    ).toEqual([
      '3 | plain | pw-1 | on | ',
      '4 | tabbed | pw-2 | on | ',
      '5 | dated | pw-3 | on 2026-12-31 | paid until 31-12-2026, Jürgen',
      '6 | two | pw-5 | DAYS_SEVERAL | since 01-01-2026 exp: 01-02-2026',
      '7 | hash#tag | pw#7 | on | ',
      '8 | alone |  | on | ',
      '9 | host | pw-8 | on | 10.0.2.2026',
    ]);
  });

  test('is refused as a whole where nothing in it is one of its lines', () => {
    const csv = 'user;pass\nanna;pw\n';
    const cccam = { kind: 'noLines', format: 'cccam' };
    expect(problemIn('SERVER LISTEN PORT : 12000\n', { format: 'cccam' })).toEqual(cccam);
    expect(problemIn(csv, { format: 'cccam' })).toEqual(cccam);
    expect(problemIn(csv, { format: 'oscam' })).toEqual({ kind: 'noLines', format: 'oscam' });
    expect(problemIn('# F: <username> <password>\n')).toEqual(cccam);
    expect(problemIn(' \n', { format: 'oscam' })).toEqual({ kind: 'empty' });
    // Lines that are switched off are something to say.
    expect(fileIn('#F: a b\n')).toMatchObject({ lines: [], switchedOffRows: [1] });
    expect(fileIn('#[account]\n', { format: 'oscam' })).toMatchObject({ switchedOffRows: [1] });
  });

  test.each([
    ['F:a b{0:0:1}', 'b{0:0:1}', null, ''],
    ['F:\ta\tb\t1\t0\t0\t{\t0:0:1\t}\t#\t31-12-2027', 'b', '2027-12-31', '31-12-2027'],
    ['\tf : a b yes no no {0:0:1 , 0100:000080:2 } ;31-12-2027', 'b', '2027-12-31', '31-12-2027'],
    [
      'F: a b 1 0 0 ( { 0:0:1 } { } { } ) host.example // 31-12-2027',
      'b',
      '2027-12-31',
      '31-12-2027',
    ],
    ['F: a b # 31-12-2027', 'b', '2027-12-31', '31-12-2027'],
    ['F: a b { 0:0:1 } 1 0 0', 'b', null, ''],
    ['F: a b 1 0 0 { 0:0:1 } 192.0.2.15', 'b', null, ''],
    ['F: a "b"', '"b"', null, ''],
    // To CCcam it is the password, which is refused later for its #.
    ['F: a b#31-12-2027', 'b#31-12-2027', null, ''],
    ['F: a b;31-12-2027', 'b;31-12-2027', null, ''],
    ['F: a b;c', 'b;c', null, ''],
    // What is neither an option nor a comment may be the rest of a password, or a note.
    ...[
      ...['F: a b c', 'F: a b 1 0 0 { 0:0:1', 'F: a b 1 0 0 { 0:0:1 } F: c d'],
      ...['F: a b 1 0 0 { off }', 'F: a b 1 0 0 { 0:0:1 } gesperrt', 'F: a b 1 0 0 31-12-2027'],
      ...['F: a b 1 0 0 { 0:0:1 } -- 31-12-2027', 'F: a b 1 0 0 {0:0:1}host.example#31-12-2027'],
    ].map((row): [string, string, string, string] => [row, 'b', 'OPTIONS_UNKNOWN', '']),
    ['F: a "b c"', '"b', 'OPTIONS_UNKNOWN', ''],
    ['F: a 31-12-2027 b', '31-12-2027', 'OPTIONS_UNKNOWN', ''],
  ])('reads %j', (row, password, end, notes) => {
    const [line, ...others] = linesIn(`${row}\n`, { dates: 'd-m-y' });
    expect(others).toEqual([]);
    expect([line?.username, line?.password]).toEqual(['a', password]);
    expect(line?.fault?.code ?? line?.expiry).toBe(end);
    expect(line?.texts.notes ?? '').toBe(notes);
  });

  test.each([
    ['#F: a b', true],
    [' # # F : a b 1 0 0', true],
    ['*F: a b', true],
    ['#F: a b 1 0 0 gesperrt', true],
    ['_F:a b', true],
    ['--- F: a b { 0:0:1 } # until 31-12-2027', true],
    ['# F: <username> <password> <uphops>', false],
    ['# F: user pass 1 0 0 { 0:0:1 }', false],
    ['# F: Username Password', false],
    ['# F: is for friends', false],
    ['# F: a', false],
    ['# the friends F: a b', false],
    ['"F: a b"', false],
  ])('counts %j as switched off: %s', (row, isAccount) => {
    const file = fileIn(`F: on pw\n${row}\n`) as ConfigurationFile;
    expect(file.switchedOffRows).toEqual(isAccount ? [2] : []);
    expect(file.lines).toHaveLength(1);
    if (isAccount) expect(file.switchedOff).toMatchObject([{ username: 'a', isSuspended: true }]);
  });
});

describe('oscam.user', () => {
  test('gives the accounts of its sections, as OSCam reads them', () => {
    const rows = linesIn(
      [
        '\ufeff# made by hand',
        '[account]',
        'user = anna',
        'PWD=with = sign',
        'expdate = 2027/03/05',
        'description = Anna, paid',
        '[ACCOUNT]',
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
        '[ account ]',
        'user = no account to OSCam',
      ].join('\r\n'),
    );
    expect(rows).toMatchObject([
      {
        number: 2,
        username: 'anna',
        password: 'with = sign',
        expiry: '2027-03-05',
        texts: { notes: 'Anna, paid' },
        isSuspended: false,
      },
      { number: 7, username: 'bob', password: 'pw-b', expiry: null, isSuspended: true },
      { number: 15, username: '', password: 'nameless' },
    ]);
    expect(rows).toHaveLength(3);
  });

  test('counts the accounts that a comment switches off', () => {
    const text = '[account]\nuser = a\npwd = b\n#[account]\n#user = off\n#pwd = off\n';
    const file = fileIn(text) as ConfigurationFile;
    expect(file.lines).toMatchObject([{ username: 'a', password: 'b' }]);
    expect(file.switchedOffRows).toEqual([4]);
  });

  test.each(['o', 'true', 'yes', '"1"', '0,1', '0x1', '256', 'off'])(
    'asks what disabled = %s means, which is no number to OSCam',
    (text) => {
      const file = `[account]\nuser = a\npwd = b\ndisabled = ${text}`;
      expect(linesIn(file)).toMatchObject([
        {
          asked: [{ field: 'disabled', value: text }],
          fault: { code: 'STATE_WITHOUT_CHOICE', data: { text } },
        },
      ]);
      const chosen = (choice: 'on' | 'off' | 'leave_out') =>
        linesIn(file, { states: { [`disabled: ${text}`]: choice } }).map(told);
      expect([chosen('on'), chosen('off'), chosen('leave_out')].flat()).toEqual([
        ...['on', 'off', 'left out'],
      ]);
    },
  );

  test.each([
    ['2027-12-31 paid', '2027-12-31'],
    ['2027-12-31\t# until he pays', '2027-12-31'],
    ['2027--12--31', '2027-12-31'],
    [' 2027 - 12 / 31 23:59', '2027-12-31'],
    ['2027-12-31T23:59', '2027-12-31'],
    ['1999-12-31', '1999-12-31'],
    // OSCam reads the first.
    ['2027-12-31/2028-12-31', '2027-12-31'],
    ['2027-12-31 bis 2028-12-31', '2027-12-31'],
    ['', null],
    ...[
      ...['31.12.2027', 'paid 2027-12-31', '"2027-12-31"', '2027-12', '27-12-31', '1830297600'],
      ...['2027-Dec-31', '0000-00-00', '9999-12-31', '2027-12-32', '2027-02-29', '-1', 'never'],
    ].map((text): [string, string] => [text, 'DAY_NOT_OSCAM']),
  ])('reads expdate = %j as %s', (text, end) => {
    const [row] = linesIn(`[account]\nuser = a\npwd = b\nexpdate = ${text}\n`);
    expect(row?.fault?.code ?? row?.expiry).toBe(end);
  });

  test.each([
    ['user=a\npwd=b\ndisabled=1\ndisabled=0', false],
    ['user=a\npwd=b\nDISABLED=0\ndisabled = 1', true],
    ['user=a\npwd=x\nPWD = b\n#disabled=1', false],
    ['disabled=-1\nUser=a\nPwd=b\nmonlevel=1\nmax_connections=2', true],
    ['user=a\npwd=b\ndisabled=1yes', true],
    ['user=a\npwd=b\ndisabled=00', false],
  ])('reads the keys of %j in any case, each as it was given last', (keys, isSuspended) => {
    const text = `\ufeff[anticasc]\nuser=no\npwd=no\n[ACCOUNT]\n${keys}\n[global]\nuser=no\n`;
    for (const file of [text, text.replaceAll('\n', '\r\n')]) {
      expect(linesIn(file)).toMatchObject([
        { number: 4, username: 'a', password: 'b', isSuspended, fault: null },
      ]);
    }
  });

  test('two accounts in one section are none', () => {
    const text = '[account]\nuser=a\npwd=b\nexpdate=2027-12-31\n[account] # Anna\nuser=c\npwd=d\n';
    const rows = linesIn(text);
    expect(rows.map(messageOf)).toEqual([
      'The section has "user" twice. Put [account] in a row of its own above each account, and "user" below it once.',
    ]);
    // OSCam drops it, whatever the second one says.
    expect(linesIn('[account]\nuser=a\nUSER = a\npwd=b\n')[0]?.fault?.code).toBe('USER_TWICE');
  });

  test.each(['pw', 'p\u00e4', 'p\xe4 in another encoding'])(
    'a byte order mark hides the first account from OSCam, with the password %j',
    (password) => {
      const text = `[account]\nuser = a\npwd = pw\n[account]\nuser = b\npwd = ${password}\n`;
      const encoding = password.includes('another') ? 'latin1' : 'utf8';
      const mark = Buffer.from([0xef, 0xbb, 0xbf]);
      const rows = linesIn(Buffer.concat([mark, Buffer.from(text, encoding)]));
      expect(rows.map(messageOf)).toEqual([
        'OSCam does not know this account, because the file begins with a byte order mark. Save the file as UTF-8 without BOM.',
        null,
      ]);
      expect(linesIn(Buffer.from(text, encoding)).map(messageOf)).toEqual([null, null]);
      // A row before it takes the mark.
      const after = Buffer.concat([mark, Buffer.from(`\n${text}`, encoding)]);
      expect(linesIn(after).map(messageOf)).toEqual([null, null]);
    },
  );

  test('a heading that is none to OSCam joins two accounts of one name', () => {
    const rows = linesIn('[account]\nuser=a\npwd=b\n[account] # Anna\nuser=a\npwd=d\n');
    expect(rows.map(({ fault }) => fault?.code)).toEqual(['USER_TWICE']);
  });

  test.each([['2'], ['4  # web']])('leaves an account of monlevel %s in the file', (level) => {
    const [row] = linesIn(`[account]\nuser=a\npwd=b\nmonlevel=${level}\n`);
    expect(row?.fault?.code).toBe('MONITOR_ACCOUNT');
  });

  test('keeps what is no blank to OSCam, and refuses names that would change', () => {
    const text = '[account]\nuser = a\npwd = pw\u00a0\n[account]\nuser = e\u0301\npwd = pw\n';
    expect(linesIn(text)).toMatchObject([
      { password: 'pw\u00a0', fault: null },
      { fault: { field: 'username', code: 'NAME_WOULD_CHANGE' } },
    ]);
  });
});

describe('a date in the comment of an F line', () => {
  const judge = (comment: string, dates: FileChoices['dates']) =>
    linesIn(`F: a b 1 0 0 { 0:0:1 } # ${comment}\n`, { dates }).map(told)[0];

  test.each([
    // [comment, with d-m-y, with y-m-d]
    ['31-12-2027', 'on 2027-12-31', 'DAY_OTHER_ORDER'],
    ['bis 31.12.2027, Tel. 0170-0000001', 'on 2027-12-31', 'DAY_OTHER_ORDER'],
    ['exp5/6/2027', 'on 2027-06-05', 'DAY_OTHER_ORDER'],
    ['2027.12.31 23:59', 'DAY_OTHER_ORDER', 'on 2027-12-31'],
    ['(2027-1-5)', 'DAY_OTHER_ORDER', 'on 2027-01-05'],
    ['reminder sent 20-11-2026', 'on 2026-11-20', 'DAY_OTHER_ORDER'],
    ['01-02-2026, exp 01-02-2027', 'DAYS_SEVERAL', 'DAYS_SEVERAL'],
    ['31-12-2027 / 2027-12-31', 'DAYS_SEVERAL', 'DAYS_SEVERAL'],
    ['31-02-2027', 'DAY_NOT_IN_CALENDAR', 'DAY_OTHER_ORDER'],
    // No whole date.
    ...[
      ...['13-05-27', '13 May 2027', 'bis 31. Dez. 2026', '12/2026', '20271231', '31-12.2027'],
      ...['tel 06-12-345678', 'tel 12-34-5678', 'CCcam 2.3.0-3367', '10.0.2.2026', '0000-00-00'],
      ...['31-12-2027/12', '31-12-20277', 'box1-31-12-2027-2', 'gesperrt', 'until end of year', ''],
    ].map((comment): [string, string, string] => [comment, 'on', 'on']),
  ])('%s', (comment, dayFirst, yearFirst) => {
    expect([judge(comment, 'd-m-y'), judge(comment, 'y-m-d')]).toEqual([dayFirst, yearFirst]);
    expect(judge(comment, 'none')).toBe('on');
    // Until an order is picked, no last day of another kind takes its place.
    const isDated = dayFirst !== 'on' || yearFirst !== 'on';
    expect(judge(comment, null)).toBe(isDated ? 'DATE_WITHOUT_CHOICE' : 'on');
  });
});

describe('CSV of lines', () => {
  test.each([
    [',', 'comma'],
    [';', 'semicolon'],
    ['\t', 'tab'],
    ['|', 'bar'],
  ])('is separated by %j', (sign) => {
    const text = [
      ['Login', 'Pass', 'Exp_Date', 'Reseller', 'Server Name', 'Full name', 'Comment', 'Shoe size'],
      ['anna', '"pw ""1"""', '2027-03-05', 'r@x.example', 'N1', 'Anna A', '"two\nrows"', '38'],
      [],
      ['bob', 'pw-2', '', '', '', '', "'=1+1"],
    ];
    const rows = linesIn(`\ufeff${text.map((row) => row.join(sign)).join('\r\n')}\r\n`);
    expect(rows).toMatchObject([
      {
        number: 2,
        username: 'anna',
        password: 'pw "1"',
        expiry: '2027-03-05',
        texts: { owner: 'r@x.example', server: 'N1', name: 'Anna A', notes: 'two\nrows' },
        isSuspended: null,
        notTaken: ['Shoe size'],
      },
      { number: 4, username: 'bob', expiry: null, texts: { notes: '=1+1' }, notTaken: [] },
    ]);
  });

  test.each([
    ...['1', 'true', 'yes', 'Ja', 'tak', 'sim', 'Active', 'aktiv', 'Aktywna', 'ativa'].map(
      (cell): [string, string, string] => ['status', cell, 'on'],
    ),
    ...['0', 'FALSE', 'no', 'nein', 'nie', 'Não', 'inactive', 'Suspended', 'gesperrt'].map(
      (cell): [string, string, string] => ['enabled', cell, 'off'],
    ),
    ...[
      'disabled',
      'is_disabled',
      'banned',
      'blocked',
      'Gesperrt',
      'zablokowana',
      'suspensa',
    ].flatMap((column): [string, string, string][] => [
      [column, '1', 'off'],
      [column, 'no', 'on'],
      [column, '', 'on'],
      [column, 'NULL', 'on'],
      [column, 'x', 'asked'],
      [column, 'active', 'asked'],
    ]),
    ['banned_at', '2026-01-01 10:00:00', 'off'],
    ['disabled_at', '1767225600', 'off'],
    ['deleted_at', '0000-00-00 00:00:00', 'on'],
    ['deleted_at', 'yesterday', 'asked'],
    ...['', 'x', 'OK', 'vip', 'Banned', 'expired', 'NULL', '-1', '!1', '2', "b'0'"].flatMap(
      (cell): [string, string, string][] => [
        ['enabled', cell, 'asked'],
        ['account_status', cell, 'asked'],
      ],
    ),
  ])('of %s and %j knows what the panel has words for: %s', (column, cell, state) => {
    const [line] = linesIn(`user,pass,${column}\nanna,pw,${cell}\n`);
    const isAsked = line?.fault?.code === 'STATE_WITHOUT_CHOICE';
    expect(isAsked ? 'asked' : line && told(line)).toBe(state);
  });

  test('lists each value of a state once, and does with its rows what was chosen', () => {
    const text = [
      'user,pass,enabled,banned,status',
      'a,b,x,,OK',
      'c,d,x,x,ok',
      'e,f,,,active',
      'g,h,1,,Banned',
    ].join('\n');
    const { asked } = summarise(linesIn(text));
    expect(asked.map(({ field, value, count }) => [field, value, count])).toEqual([
      ['enabled', 'x', 2],
      ['status', 'ok', 2],
      ['disabled', 'x', 1],
      ['enabled', '', 1],
      ['status', 'Banned', 1],
    ]);
    const states = {
      'enabled: x': 'on',
      'disabled: x': 'off',
      'status: ok': 'on',
      'enabled: ': 'leave_out',
    } as const;
    const lines = linesIn(text, { states });
    expect(lines.map(told)).toEqual(['on', 'off', 'left out', 'STATE_WITHOUT_CHOICE']);
    expect(summarise(lines).asked).toEqual(asked);
    expect(summarise(lines).endless).toEqual([2, 3, 5]);
    expect(messageOf(lines[3] as FoundLine)).toBe(
      'Choose what "Banned" means: on, off or leave out',
    );
  });

  test('of this panel keeps its labels', () => {
    const text = 'username,password,status,live_channel,user_value,added_date\nann,pw,vip,,,';
    const lines = linesIn(text, { states: { 'status: vip': 'on' } });
    expect(lines).toMatchObject([{ texts: { status: 'vip' }, isSuspended: false, fault: null }]);
    expect(linesIn(text.replace('vip', '')).map(told)).toEqual(['on']);
  });

  test.each([
    ['2027-12-31 paid', 'DAY_UNREADABLE'],
    ['paid 2027-12-31', 'DAY_UNREADABLE'],
    ['bis 31.12.2027', 'DAY_UNREADABLE'],
    ['2027-12-31 do końca', 'DAY_UNREADABLE'],
    ['2027-12-31?', 'DAY_UNREADABLE'],
    ['31–12–2027', 'DAY_UNREADABLE'],
    ['20271231', 'DAY_UNREADABLE'],
    ["'2027-12-31", 'DAY_UNREADABLE'],
    ['=DATE(2027;12;31)', 'DAY_UNREADABLE'],
    ['#REF!', 'DAY_UNREADABLE'],
    ['########', 'DAY_UNREADABLE'],
    ['12 months', 'DAY_UNREADABLE'],
    ['lifetime', 'DAY_UNREADABLE'],
    ['1,8302976E+09', 'DAY_UNREADABLE'],
    ['1830297600.0', 'DAY_UNREADABLE'],
    ['12/31/2027 11:59 PM', 'DAY_UNREADABLE'],
    ['46022', 'DAY_SERIAL'],
    ['4102444800', 'DAY_NOT_IN_CALENDAR'],
    ['9999-12-31', 'DAY_NOT_IN_CALENDAR'],
    ['="2027-12-31"', '2027-12-31'],
    ['1830297600000', '2028-01-01'],
    ['2147483647', '2038-01-19'],
  ])('has in its last day %j: %s', (cell, end) => {
    const [row] = linesIn(
      `"user";"pass";"exp_date"\n"anna";"pw";"${cell.replaceAll('"', '""')}"\n`,
    );
    expect(row?.fault?.code ?? row?.expiry).toBe(end);
  });

  test.each([
    ['="00123"', '00123'],
    ['=""00123""', '00123'],
    ["'00123", 'NAME_GUARDED'],
    ['1,23E+11', 'NUMBER_SPOILED'],
    ['1.23457E+11', 'NUMBER_SPOILED'],
    ['1.23457e+11', 'NUMBER_SPOILED'],
    ['1E5', 'NUMBER_SPOILED'],
    ['126.0', 'NUMBER_SPOILED'],
    ['123456789012345000', 'NUMBER_SPOILED'],
    ['1e5', '1e5'],
    ['00123', '00123'],
    ['+491701234567', '+491701234567'],
  ])('has in username or password %j: %s', (cell, meant) => {
    const [name, password] = linesIn(
      `user,pass\n"${cell.replaceAll('"', '""')}",pw\nbob,${cell}\n`,
    );
    expect(name?.fault?.code ?? name?.username).toBe(meant);
    // The comma of a number that is not quoted is a separator.
    if (!cell.includes(',')) expect(password?.fault?.code ?? password?.password).toBe(meant);
  });

  test('of the Xtream family gives its lines to nobody by numbers of its own', () => {
    const text = 'username,password,exp_date,member_id,created_by\na,b,1830297600,5,5\n';
    expect(linesIn(text)).toMatchObject([{ texts: {}, notTaken: ['member_id', 'created_by'] }]);
  });

  test('off in one column of several is off', () => {
    const text = 'user,pass,enabled,admin_enabled,banned\na,b,1,1,1\nc,d,1,1,0\ne,f,1,0,0\n';
    expect(linesIn(text).map(({ isSuspended }) => isSuspended)).toEqual([true, false, true]);
  });

  test('the worst of several states counts', () => {
    const states = (head: string, cells: string) =>
      linesIn(`user,pass,${head}\na,b,${cells}\n`)[0]?.isSuspended;
    expect(states('status,status', 'active,inactive')).toBe(true);
    expect(states('status,account_status', 'suspended,active')).toBe(true);
    expect(states('status,state', 'active,active')).toBe(false);
  });

  test('a column that nobody knows is named, and can be mapped', () => {
    const text = 'user,pass,lock_device,\na,b,1,x\nc,d,0,\n';
    expect(summarise(linesIn(text)).notTaken).toEqual([
      { kind: 'lock_device', count: 2 },
      { kind: 'column 4 (no heading)', count: 1 },
    ]);
    expect(numberOfUnnamed('column 4 (no heading)')).toBe(4);
    expect(numberOfUnnamed('column 4')).toBeNull();
    const file = fileIn(text);
    if (file.format !== 'csv') throw new Error(file.format);
    const named = ['username', 'password', 'disabled', null] as const;
    const lines = file.rows.map((row) => lineOfRow(file, row, named, clock));
    expect(lines.map(told)).toEqual(['off', 'on']);
  });

  test('of Xtream UI has the state in Status, and numbers of connections in Active', () => {
    const text = 'Username,Password,Status,Online,Active\na,b,Active,No,0\nc,d,Active,Yes,1\n';
    expect(linesIn(text).map(told)).toEqual(['on', 'on']);
    expect(linesIn('user,pass,active\na,b,0\nc,d,1\n').map(told)).toEqual(['off', 'on']);
  });

  test.each([
    ['end;expiry', '2027-01-31;2028-12-31', 'DAYS_SEVERAL'],
    ['expiry;expiry', '2027-12-31;2027-01-31', 'DAYS_SEVERAL'],
    ['expiry;end', 'never;2027-12-31', 'DAYS_SEVERAL'],
    ['expiry;end', '2027-12-31;12 months', 'DAY_UNREADABLE'],
    ['end;expiry', '31.12.2027;2027-12-31', 'on 2027-12-31'],
    ['bis;exp_date', ';2027-01-31', 'on 2027-01-31'],
    ['bis;exp_date', '31.12.2027;NULL', 'on 2027-12-31'],
    ['bis;exp_date', ';', 'on'],
  ])('with two columns that name the end: %s with %s is %s', (heads, cells, expected) => {
    expect(linesIn(`user;pass;${heads}\na;b;${cells}\n`).map(told)).toEqual([expected]);
  });

  test('has its last day in the notes only if it has no column for it', () => {
    const judge = (heads: string, cells: string) =>
      linesIn(`user;pass;${heads}\na;b;${cells}\n`, { dates: 'd-m-y' }).map(told)[0];
    expect(judge('notes', 'until 31-12-2027')).toBe('on 2027-12-31');
    expect(judge('notes;expiry', 'paid 01-02-2026;')).toBe('on');
    expect(judge('notes;months', 'paid 01-02-2026;12')).toBe('on');
    expect(judge('notes;trial', 'paid 01-02-2026;yes')).toBe('on');
  });

  test('an added day that is not clear is named', () => {
    const rows = linesIn(
      'user;pass;added\na;b;03/04/2025\nc;d;soon\ng;h;2025-01-01\ni;j;0\nk;l;\n',
    );
    expect(rows.map(({ added, fault }) => [added, fault])).toEqual(
      [null, null, '2025-01-01', null, null].map((day) => [day, null]),
    );
    expect(summarise(rows).addedUnclear).toEqual([2, 3]);
  });

  test('a second row of one name is refused, whatever became of the first', () => {
    const rows = linesIn('user;pass;expiry\na;b;soon\na;c;2027-01-01\nb;pw;\n a ;pw;\n;x;\n;y;\n');
    expect(refuseDuplicates(rows).map(messageOf)).toEqual([
      'soon cannot be read as a date',
      'The same username is in row 2',
      null,
      'The same username is in row 2',
      null,
      null,
    ]);
  });

  test('a line that begins later is refused', () => {
    const [row] = linesIn('user;pass;added;startdate\na;b;2026-01-01;2027-01-01\n');
    expect(row && messageOf(row)).toBe('The line does not start until 2027-01-01');
  });

  test.each([
    ['$1$abc$def'],
    ['$2y$10$abcdefghijk'],
    ['$5$abc$def'],
    ['$6$rounds=5000$abc$def'],
    ['$argon2id$v=19$m=65536'],
    ['5f4dcc3b5aa765d61d8327deb882cf99'],
    ['5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8'],
    ['5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8'],
    ['*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19'],
    ...['pbkdf2_sha256$260000$abc$deadbeef', 'scrypt:32768:8:1$abc$def', '{SSHA512}abc'].map(
      (hash) => [hash],
    ),
  ])('a hash is no password: %s', (hash) => {
    const [row] = linesIn(`user;pass;expiry\nanna;${hash};2027-01-01`);
    expect(row?.fault).toMatchObject({ field: 'password', code: 'PASSWORD_HASH' });
    expect(row && messageOf(row)).not.toContain(hash);
  });

  test.each(['*', '********', '•••••••', 'ab****yz', '####', '(hidden)', '(Passwort versteckt)'])(
    'a masked password is none: %s',
    (password) => {
      const [row] = linesIn(`user;pass\nanna;${password}`);
      expect(row?.fault?.code).toBe('PASSWORD_MASKED');
    },
  );

  test.each([
    ...['5f4dcc3b5aa765d61d8327deb882cf9', '$1', 'tulip$6$x', 'hidden', 'a*b', '(abc)', '1,5'],
    ...['{abc}', 'sha256', 'md5$', 'x$y$z', 'argon2', 'shadow$1'],
  ])('%s is one', (password) => {
    expect(linesIn(`user;pass\nanna;${password}`)[0]).toMatchObject({ password, fault: null });
  });

  test('is refused where a row may be cut off, not where its last cells are left out', () => {
    const faultsIn = (rows: string) => linesIn(`user,pass,expiry,notes\n${rows}`).map(messageOf);
    const cut = (cells: number) =>
      `The row has ${cells} of 4 cells and may be cut off. Include its empty cells too.`;
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

  test('is refused where a row has more cells than there are headings', () => {
    const text = 'user;pass;notes;expiry\na;pw;one;2027-01-01\nb;pw;one;two;2027-01-01\nc;pw;;;\n';
    const more =
      'The row has 5 cells, but there are 4 headings. Put quotes around any cell that contains the separator.';
    expect(linesIn(text).map(messageOf)).toEqual([null, more, more]);
  });

  test('is one, whatever its notes hold', () => {
    const notes = '"was:\nF: x y 1 0 0\n[account]\n"';
    for (const head of ['user,pass,notes', '"User","Pass","Notes"', 'sep=,\nuser,pass,notes']) {
      expect(linesIn(`${head}\nanna,pw,${notes}\n`)).toMatchObject([{ username: 'anna' }]);
    }
  });

  test('takes no months beside a day', () => {
    const [row] = linesIn('user;pass;months;expiry\na;b;12;2027-01-01\n');
    expect(row).toMatchObject({ fault: null, notTaken: ['months'] });
    const file = fileIn('user;pass;months;expiry\na;b;12;2027-01-01\n');
    if (file.format !== 'csv') throw new Error(file.format);
    const both = ['username', 'password', 'subscription_months', 'expiry_date'] as const;
    const [first] = file.rows;
    expect(first && lineOfRow(file, first, both, clock).fault?.code).toBe('MONTHS_AND_DAY');
  });

  test('says of an apostrophe that was taken for a guard', () => {
    const rows = linesIn('user;pass\n="00123";pw\n\'=a;pw\nb;\'-pw\n');
    expect(rows).toMatchObject([
      { username: '00123', isUnwrapped: true, fault: null },
      { fault: { field: 'username', code: 'NAME_GUARDED' } },
      { fault: { field: 'password', code: 'NAME_GUARDED' } },
    ]);
    expect(summarise(rows).unwrapped).toEqual([2]);
    // Rows with problems, as the page hands them back.
    const own = linesIn("user,pass,Row,Reason\n'=a,'-pw,4,wrong\n");
    expect(own).toMatchObject([{ username: '=a', password: '-pw', fault: null }]);
  });

  test('reads the hint of spreadsheets and older encodings', () => {
    const bytes = Buffer.from('sep=|\nuser|pass|name\nanna|a;b|J\xfcrgen', 'latin1');
    expect(linesIn(bytes)).toMatchObject([
      { number: 2, password: 'a;b', texts: { name: 'Jürgen' } },
    ]);
    const utf16 = Buffer.from('\ufeffuser;pass\nżaba;pw', 'utf16le');
    expect(linesIn(utf16)).toMatchObject([{ username: 'żaba' }]);
    const polish = Buffer.from('user;pass;name\nanna;pw;\xafo\xb3\xb9d\x9f', 'latin1');
    const codePage = 'Windows-1250';
    expect(linesIn(polish, { codePage })).toMatchObject([{ texts: { name: 'Żołądź' } }]);
  });

  test('a row in another encoding than the rest changes no credential', () => {
    const bytes = Buffer.concat([
      Buffer.from('user;pass;name\nmüller;pw;a\n'),
      Buffer.from('anna;pw;J\xfcrgen\nbob;pa\xdfwort;b\n', 'latin1'),
    ]);
    expect(linesIn(bytes)).toMatchObject([
      { username: 'müller', fault: null },
      { username: 'anna', texts: { name: 'Jürgen' }, fault: null },
      { username: 'bob', fault: { field: 'password', code: 'FOREIGN_ENCODING' } },
    ]);
  });

  test.each([
    ['user;pass\nanna;"pw', { kind: 'quotes', line: 2 }],
    ['"id","name"\n"1","a \\"b\\""', { kind: 'quotes', line: 2 }],
    ['PK\x03\x04', { kind: 'workbook' }],
    ['ab\0\0cd', { kind: 'notText' }],
    [Buffer.from('user;pass\nżaba;pw', 'utf16le'), { kind: 'unmarked' }],
    [Buffer.from('user;pass\nżaba;pw', 'utf16le').swap16(), { kind: 'unmarked' }],
    ['', { kind: 'empty' }],
  ])('is refused as a whole: %j', (text, problem) => {
    expect(problemIn(text)).toEqual(problem);
  });
});

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
      // His custom values hold two separators, so that the day stands below another heading.
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
