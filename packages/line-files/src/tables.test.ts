import { describe, expect, test } from 'vitest';
import { lineOfRow } from './csv-line.ts';
import { readDay } from './day-of-cell.ts';
import { faultText, orFault } from './faults.ts';
import { type FoundLine, numberOfUnnamed, refuseDuplicates, summarise } from './found-line.ts';
import { fileIn, linesIn, messageOf, problemIn, told } from './testing/lines-in.ts';

describe('a day of a cell', () => {
  test.each([
    ['2027-03-05', '2027-03-05'],
    [' 2027-3-5 ', '2027-03-05'],
    ['2027/03/05', '2027-03-05'],
    ['2027-03-05 23:59:59', '2027-03-05'],
    ['2027-03-05T00:00', '2027-03-05'],
    // In Warsaw it is already the next day.
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
    // The number is 1830297600 without its last digit.
    ['183029760', '183029760 cannot be read as a date'],
    ['183029760000', '183029760000 cannot be read as a date'],
    ['46387', '46387 is a spreadsheet’s number for 2026-12-31. Write it as a date.'],
    ['46387.5', '46387.5 is a spreadsheet’s number for 2026-12-31. Write it as a date.'],
  ])('is refused in %j', (text, problem) => {
    const fault = orFault(() => readDay(text, 'UTC'));
    expect(fault !== null && typeof fault === 'object' && faultText(fault)).toBe(problem);
  });
});

describe('CSV of lines', () => {
  test.each(['plan', 'Plan name', 'Tarif', 'Plano', 'Nazwa planu'])(
    'has the plan in the column %j',
    (heading) => {
      const [line] = linesIn(`user,pass,months,${heading}\nanna,pw,1,Sport\n`);
      expect(line?.texts.plan).toBe('Sport');
    },
  );

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
    // The comma of a number without quotes is a separator.
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
    const lines = file.rows.map((row) => lineOfRow(file, row, named, 'UTC'));
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
    // The day may be 1 or the beginning of 15.
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
    expect(first && lineOfRow(file, first, both, 'UTC').fault?.code).toBe('MONTHS_AND_DAY');
  });

  test('says of an apostrophe that was taken for a guard', () => {
    const rows = linesIn('user;pass\n="00123";pw\n\'=a;pw\nb;\'-pw\n');
    expect(rows).toMatchObject([
      { username: '00123', isUnwrapped: true, fault: null },
      { fault: { field: 'username', code: 'NAME_GUARDED' } },
      { fault: { field: 'password', code: 'NAME_GUARDED' } },
    ]);
    expect(summarise(rows).unwrapped).toEqual([2]);
    // Rows with problems, in the form in which the page returns them.
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
    [Buffer.from('user;pass\nżaba;pw', 'utf16le'), { kind: 'notText' }],
    [Buffer.from('user;pass\nżaba;pw', 'utf16le').swap16(), { kind: 'notText' }],
    ['', { kind: 'empty' }],
  ])('is refused as a whole: %j', (text, problem) => {
    expect(problemIn(text)).toEqual(problem);
  });
});
