import { describe, expect, test } from 'vitest';
import type { FileChoices } from './choices.ts';
import type { ConfigurationFile } from './read-file.ts';
import { fileIn, linesIn, messageOf, problemIn, told } from './testing/lines-in.ts';

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
    const cccam = { kind: 'noLines', format: 'cccam' };
    expect(problemIn('# F: <username> <password>\n')).toEqual(cccam);
    expect(problemIn(' \n')).toEqual({ kind: 'empty' });
    // A file with only commented-out lines is not empty: the rows are reported.
    expect(fileIn('#F: a b\n')).toMatchObject({ lines: [], switchedOffRows: [1] });
    expect(fileIn('#[account]\n[account]\nuser = a\n')).toMatchObject({ switchedOffRows: [1] });
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
    // CCcam reads the text as the password, which is refused later because of its #.
    ['F: a b#31-12-2027', 'b#31-12-2027', null, ''],
    ['F: a b;31-12-2027', 'b;31-12-2027', null, ''],
    ['F: a b;c', 'b;c', null, ''],
    // A text that is neither an option nor a comment may be the rest of a password, or a note.
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
    // OSCam reads the first date.
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
      'The section has "user" twice. Put a separate [account] row above each account, and "user" below it once.',
    ]);
    // OSCam drops the account, regardless of the second name.
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
      // If another row comes first, the mark hides that row instead.
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
    // [comment, result with d-m-y, result with y-m-d]
    ['31-12-2027', 'on 2027-12-31', 'DAY_OTHER_ORDER'],
    ['bis 31.12.2027, Tel. 0170-0000001', 'on 2027-12-31', 'DAY_OTHER_ORDER'],
    ['exp5/6/2027', 'on 2027-06-05', 'DAY_OTHER_ORDER'],
    ['2027.12.31 23:59', 'DAY_OTHER_ORDER', 'on 2027-12-31'],
    ['(2027-1-5)', 'DAY_OTHER_ORDER', 'on 2027-01-05'],
    ['reminder sent 20-11-2026', 'on 2026-11-20', 'DAY_OTHER_ORDER'],
    ['01-02-2026, exp 01-02-2027', 'DAYS_SEVERAL', 'DAYS_SEVERAL'],
    ['31-12-2027 / 2027-12-31', 'DAYS_SEVERAL', 'DAYS_SEVERAL'],
    ['31-02-2027', 'DAY_NOT_IN_CALENDAR', 'DAY_OTHER_ORDER'],
    // These comments contain no complete date.
    ...[
      ...['13-05-27', '13 May 2027', 'bis 31. Dez. 2026', '12/2026', '20271231', '31-12.2027'],
      ...['tel 06-12-345678', 'tel 12-34-5678', 'CCcam 2.3.0-3367', '10.0.2.2026', '0000-00-00'],
      ...['31-12-2027/12', '31-12-20277', 'box1-31-12-2027-2', 'gesperrt', 'until end of year', ''],
    ].map((comment): [string, string, string] => [comment, 'on', 'on']),
  ])('%s', (comment, dayFirst, yearFirst) => {
    expect([judge(comment, 'd-m-y'), judge(comment, 'y-m-d')]).toEqual([dayFirst, yearFirst]);
    expect(judge(comment, 'none')).toBe('on');
    // Until an order is chosen, no other date is used as the last day.
    const isDated = dayFirst !== 'on' || yearFirst !== 'on';
    expect(judge(comment, null)).toBe(isDated ? 'DATE_WITHOUT_CHOICE' : 'on');
  });
});
