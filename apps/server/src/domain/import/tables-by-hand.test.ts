import { faultText } from '@linekeeper/contract/files/faults.ts';
import { numberOfUnnamed } from '@linekeeper/contract/files/found-line.ts';
import { describe, expect, test } from 'vitest';
import { linesIn, told } from '../../testing/found-lines.ts';

// Tables as operators keep them in a spreadsheet, or copy them out of another panel.

/** Results for the rows of a table, each with a name and password of its own in front. */
const judge = (headings: string, ...rows: string[]) =>
  linesIn(
    `user;pass;${headings}\n${rows.map((row, number) => `u${number};pw${number};${row}\n`).join('')}`,
  ).map(told);

const unnamed = 'STATE_COLUMN_UNNAMED';
const unknown = 'STATE_UNKNOWN';

describe('a column without a heading', () => {
  test.each([
    ['bis;', ['31.12.2027;', '31.12.2027;gesperrt'], [unnamed, unnamed]],
    ['bis;;;', ['31.12.2027;;VU;', '31.12.2027;x;VU;'], [unnamed, unnamed]],
    ['bis;;;', ['31.12.2027;;VU;', '31.12.2027;;VU;gesperrt seit Mai'], [unnamed, unnamed]],
    ['bis; ', ['31.12.2027;aktiv', '31.12.2027;gesperrt'], [unnamed, unnamed]],
    ['bis;?', ['31.12.2027;tak', '31.12.2027;nie'], ['STATE_COLUMN', 'STATE_COLUMN']],
    [';bis', [';31.12.2027', 'x;31.12.2027'], [unnamed, unnamed]],
    ['bis;', ['31.12.2027;VU', '31.12.2027;Dreambox'], ['on 2027-12-31', 'on 2027-12-31']],
    ['bis;;', ['31.12.2027;;', '31.12.2027;;'], ['on 2027-12-31', 'on 2027-12-31']],
    ['box;', ['VU;bis 31.12.2027', 'VU;'], ['DAY_ELSEWHERE', 'on']],
  ])('counts like one that nobody knows: %s with %j', (headings, rows, expected) => {
    expect(judge(headings, ...rows)).toEqual(expected);
  });

  test('is named by its number', () => {
    const [state] = linesIn('user;pass;;\na;pw;VU;\nb;pw;VU;gesperrt\n');
    expect(state?.fault && faultText(state.fault)).toBe(
      'Column 4 (no heading) may say that lines are off. Give it the heading status, enabled or disabled, or remove it.',
    );
    const [other] = linesIn('user;pass;\na;pw;VU\n');
    expect(other?.notTaken).toEqual(['column 3 (no heading)']);
    expect(other?.notTaken.map(numberOfUnnamed)).toEqual([3]);
    expect(numberOfUnnamed('column 3')).toBeNull();
  });
});

describe('an empty cell of a column that says which lines run', () => {
  test.each([
    ['aktiv', ['x', '', 'x'], ['on', unknown, 'on']],
    ['Aktywny', ['X', ''], ['on', unknown]],
    ['active', ['x', ''], ['on', unknown]],
    ['ativo', ['✓', ''], ['on', unknown]],
    ['active', ['√', '✖', ''], ['on', 'off', unknown]],
    ['status', ['OK', ''], ['on', unknown]],
    ['status', ['okay', ''], ['on', unknown]],
    ['status', ['x', ''], [unknown, unknown]],
    ['status', ['läuft', ''], [unknown, unknown]],
    ['enabled', ['1', '', '0'], ['on', unknown, 'off']],
    ['enabled', ['NULL', '', '0'], [unknown, unknown, 'off']],
    ['status', ['aktiv', '', 'gesperrt'], ['on', unknown, 'off']],
    ['status', ['expired', '', 'active'], ['STATE_ENDED', unknown, 'on']],
    // Only those that are off are marked.
    ['enabled', ['0', ''], ['off', 'on']],
    ['status', ['gesperrt', ''], ['off', 'on']],
    ['status', ['', ''], ['on', 'on']],
    // Columns in which yes is the mark of being off.
    ['gesperrt', ['x', ''], ['off', 'on']],
  ])('below %s with %j is refused beside more than a plain no', (heading, cells, expected) => {
    expect(judge(heading, ...cells)).toEqual(expected);
  });

  test('is enabled to CMUM, and no label in a file of this panel', () => {
    const cmum = 'ipmask;profiles;maxconn;admin;enabled;mapexclude';
    const rows = linesIn(`user;password;${cmum}\na;p;*;;1;;1;\nb;p;*;;1;;;\nc;p;*;;1;;0;\n`);
    expect(rows.map(told)).toEqual(['on', 'on', 'off']);
    const own = 'username,password,status,live_channel,user_value,added_date';
    expect(linesIn(`${own}\na,pw,vip,,,\nb,pw,,,,\n`).map(told)).toEqual(['on', 'on']);
  });
});

describe('of several columns that name the end', () => {
  const several = 'DAYS_SEVERAL';
  test.each([
    ['end;expiry', '2027-01-31;2028-12-31', several],
    ['expiry;expiry', '2027-12-31;2027-01-31', several],
    ['expiry;Ende', '2027-12-31;01.11.2026', several],
    ['paid_until;expiry;bis', '2027-12-31;;2028-01-01', several],
    ['contract_end;expiry', '2027-01-31;2028-12-31', several],
    ['expiry;Vertrag Ende', '2027-01-31;31.12.2028', several],
    ['expiry;end', 'never;2027-12-31', several],
    ['expiry;end', '2027-12-31;Unlimited', several],
    ['expiry;end', '2027-12-31;12 months', 'DAY_UNREADABLE'],
    ['end;expiry', '31.12.2027;2027-12-31', 'on 2027-12-31'],
    ['bis;exp_date', ';2027-01-31', 'on 2027-01-31'],
    ['bis;exp_date', '31.12.2027;', 'on 2027-12-31'],
    ['bis;exp_date', '31.12.2027;NULL', 'on 2027-12-31'],
    ['bis;exp_date', '31.12.2027;0000-00-00', 'on 2027-12-31'],
    ['bis;exp_date', ';', 'on'],
    ['contract_end;expiry', '2027-01-31;31.01.2027', 'on 2027-01-31'],
    // Other days than the end.
    ['expiry;created', '2027-12-31;2020-01-01', 'on 2027-12-31'],
    ['expiry;last_payment', '2027-12-31;2026-01-01', 'on 2027-12-31'],
    ['expiry;days', '2027-12-31;30', 'on 2027-12-31'],
  ])('two that differ are refused: %s with %s is %s', (headings, row, expected) => {
    expect(judge(headings, row)).toEqual([expected]);
  });
});

describe('a word for off', () => {
  const column = 'STATE_COLUMN';
  test.each([
    ['group', ['Kunden', 'Gesperrt'], [column, column]],
    ['group', ['customers', 'Disabled users'], [column, column]],
    ['Gruppe Nr', ['VIP', 'gekündigt'], [column, column]],
    ['package', ['Full', 'Off'], [column, column]],
    ['tariff', ['Gold', 'OFF'], [column, column]],
    ['Stat', ['A', 'I'], [column, column]],
    ['St.', ['A', 'X'], [column, column]],
    ['flag', ['', 'D'], [column, column]],
    ['flags', ['A', 'D'], [column, column]],
    ['foo', ['a', 'i'], [column, column]],
    ['foo', ['E', 'D'], [column, column]],
    ['group', ['A', 'B'], ['on', 'on']],
    ['group', ['A', 'D'], ['on', 'on']],
    ['group', ['1', '0'], ['on', 'on']],
    ['box', ['L', 'M'], ['on', 'on']],
    ['package', ['Full', 'Sport'], ['on', 'on']],
    ['debug', ['off', 'off'], ['on', 'on']],
    ['is_mag', ['1', '0'], ['on', 'on']],
  ])('below %s holds up the file: %j', (heading, cells, expected) => {
    expect(judge(heading, ...cells)).toEqual(expected);
  });
});

test.each([
  ...['Beginn', 'start', 'start_date', 'Startdatum', 'begins at', 'validFrom', 'valid from'],
  ...['gültig ab', 'gueltig_ab', 'Freischaltung', 'ważne od', 'od', 'data rozpoczęcia'],
  ...['początek', 'data aktywacji', 'início', 'data de início', 'desde', 'válido desde', 'von'],
])('a line that begins later by %s does not run yet', (heading) => {
  const rows = ['31.12.2028;01.01.2026', '31.12.2028;01.01.2028', '31.12.2028;'];
  expect(judge(`expiry;${heading}`, ...rows)).toEqual([
    'on 2028-12-31',
    'STARTS_LATER',
    'on 2028-12-31',
  ]);
});

describe('a comment with a term of hours', () => {
  const comment = (text: string) => linesIn(`F: a b 1 0 0 # ${text}\n`).map(told);
  test.each([
    ...['trial 24h', 'próba 48h', 'proba 48 godz.', 'test 2 Stunden', '24h test', 'test24h'],
    ...['Testzugang 24 Std', 'trial (24 hours)', 'teste 6 horas', 'teste 4h', 'prueba 24h'],
    ...['deneme 24 saat', 'test 30min', 'trial-48h', 'trial one hour', 'TRIAL 24H'],
  ])('that is a trial has an end in words: %s', (text) => {
    expect(comment(text)).toEqual(['DAY_UNREADABLE']);
  });

  test('says nothing beside something else, and makes a day its beginning', () => {
    expect(comment('24h Hotline 0800')).toEqual(['on']);
    expect(comment('trial')).toEqual(['on']);
    expect(comment('problem 2h ago')).toEqual(['on']);
    expect(comment('test seit 24h')).toEqual(['on']);
    expect(comment('trial 24h 13-05-2027')).toEqual(['DAY_PERHAPS_PAID']);
    expect(comment('trial until 13-05-2027')).toEqual(['on 2027-05-13']);
    expect(judge('notes', 'trial 24h', 'test')).toEqual(['DAY_ELSEWHERE', 'on']);
  });
});

describe('a password', () => {
  const fault = (password: string) => linesIn(`user;pass\na;${password}\n`)[0]?.fault?.code;
  test.each([
    ...[
      '*',
      '********',
      '•••••••',
      '●●●●',
      'ab****yz',
      '********z',
      '####',
      '(hidden)',
      '[hidden]',
    ],
    ...[
      '<masked>',
      '(Password hidden)',
      '(ukryte)',
      '(oculta)',
      '(ausgeblendet)',
      '(Passwort versteckt)',
    ],
  ])('that is masked is none: %s', (password) => {
    expect(fault(password)).toBe('PASSWORD_MASKED');
  });

  test.each([
    ...['sha256$abc$9f86d081884c7d659a2feaa0c55ad015', 'pbkdf2_sha256$260000$abc$deadbeef'],
    ...['bcrypt_sha256$$2b$12$abc', 'sha1$abc$def', 'md5$abc$def', 'argon2$argon2id$v=19$x'],
    ...['pbkdf2:sha256:260000$abc$def', 'scrypt:32768:8:1$abc$def', '{BCRYPT}abc', '{SSHA512}abc'],
    ...['$scrypt$ln=16$abc', '$sha1$1$abc', '{PBKDF2-SHA256}abc', '$2y$10$abc', '$6$abc$def'],
  ])('that is a hash is none: %s', (password) => {
    expect(fault(password)).toBe('PASSWORD_HASH');
  });

  test.each([
    ...[
      'hidden',
      'secret',
      'a*b',
      'pa**ss',
      'sha256',
      'md5$',
      'x$y$z',
      '(abc)',
      'pw#12',
      '{abc}',
      '1,5',
    ],
    ...['12345,6', 'argon2', 'scrypt', 'shadow$1', 'shark:1'],
  ])('that only looks so is taken: %s', (password) => {
    expect(fault(password)).toBeUndefined();
  });

  test.each(['12345,0', '126.0', '126.00', '126,00'])('or username %s lost its digits', (text) => {
    expect(fault(text)).toBe('NUMBER_SPOILED');
    expect(linesIn(`user;pass\n${text};pw\n`)[0]?.fault?.code).toBe('NUMBER_SPOILED');
  });
});

describe('a heading of the four languages', () => {
  test.each([
    ...['Usuário', 'usuario', 'Nome de usuário', 'Nutzername', 'Nutzer', 'Anmeldename'],
    ...['Loginname', 'Kontoname', 'Nazwa konta', 'Nazwa linii', 'User name', 'login'],
  ])('is the username: %s', (heading) => {
    const [line] = linesIn(`${heading};Senha;box\nanna;pw;VU\n`);
    expect(line).toMatchObject({ username: 'anna', password: 'pw', fault: null });
  });

  test.each([
    ...['Benutzerpasswort', 'Zugangspasswort', 'Hasło', 'Hasło klienta', 'Senha de acesso'],
  ])('is the password: %s', (heading) => {
    const [line] = linesIn(`user;${heading};box\nanna;pw;VU\n`);
    expect(line).toMatchObject({ username: 'anna', password: 'pw', fault: null });
  });

  test.each([
    ...[
      'Ważne do',
      'data ważności',
      'Ważność do',
      'Termin ważności',
      'Ważny do dnia',
      'Kończy się',
    ],
    ...['Data zakończenia', 'Koniec abonamentu', 'Opłacone do', 'Aktywne do', 'Wygasa dnia'],
    ...[
      'läuft bis',
      'laeuft_bis',
      'Laufzeit bis',
      'läuft ab am',
      'Läuft ab',
      'gültig-bis',
      'Gueltig bis',
    ],
    ...[
      'Endet am',
      'Vertragsende',
      'Abo bis',
      'Abo-Ende',
      'Verfallsdatum',
      'Bezahlt bis zum',
      'Ablauf am',
    ],
    ...[
      'Data de expiração',
      'Expiração',
      'Expira em',
      'Válido até',
      'Validade até',
      'Vence em',
      'Fim',
    ],
    ...['Data de término', 'Data fim', 'Pago até', 'Ativo até', 'Vencimento', 'Último dia'],
    ...[
      'Expires on',
      'Valid thru',
      'Ends on',
      'Subscription ends',
      'Account expires',
      'Good until',
    ],
  ])('is the last day: %s', (heading) => {
    expect(judge(heading, '31.12.2027', '')).toEqual(['on 2027-12-31', 'on']);
  });

  test.each([
    ['Situação', ['ativo', 'inativo', 'em atraso'], ['on', 'off', unknown]],
    ['situacao da conta', ['ativo', 'suspenso'], ['on', 'off']],
    ['Kontostatus', ['aktiv', 'gesperrt'], ['on', 'off']],
    ['Kundenstatus', ['aktiv', 'pausiert'], ['on', 'off']],
    ['Status klienta', ['aktywny', 'zawieszony'], ['on', 'off']],
    ['Estado do cliente', ['ativo', 'cancelado'], ['on', 'off']],
  ])('is the state: %s', (heading, cells, expected) => {
    expect(judge(heading, ...cells)).toEqual(expected);
  });

  test.each(['Revenda', 'Wiederverkäufer', 'Dono', 'Odsprzedawca'])(
    'is the owner: %s',
    (heading) => {
      const [line] = linesIn(`user;pass;${heading}\nanna;pw;a@example.org\n`);
      expect(line?.texts.owner).toBe('a@example.org');
    },
  );

  test.each(['Obs', 'Observação', 'Anmerkung', 'Bemerkungen', 'Komentarz', 'Remarks', 'Opis'])(
    'is a note: %s',
    (heading) => {
      const rows = linesIn(`user;pass;${heading}\nanna;pw;cash\nbob;pw;gesperrt\n`);
      expect(rows.map(({ texts }) => texts.notes)).toEqual(['cash', 'gesperrt']);
      expect(rows.map(told)).toEqual(['on', 'STATE_IN_NOTES']);
    },
  );
});

describe('of Xtream UI and XC_VM', () => {
  test('the flag of activation codes says nothing of a state, and a code in stock is no line', () => {
    const rows = linesIn(
      [
        'id,username,password,exp_date,admin_enabled,enabled,is_activecode',
        '1,a,pw,1830211200,1,1,0',
        '2,b,pw,1830211200,0,1,0',
        '3,c,pw,1830211200,1,1,1',
        '4,d,pw,NULL,1,1,1',
        '5,e,pw,NULL,1,1,0',
        '6,f,pw,NULL,1,1,NULL',
      ].join('\n'),
    );
    const ends = ['on 2027-12-31', 'off 2027-12-31', 'on 2027-12-31', 'CODE_NOT_REDEEMED'];
    expect(rows.map(told)).toEqual([...ends, 'on', 'on']);
  });

  test('the exported list of lines has the state in Status, and numbers of connections in Active', () => {
    const rows = linesIn(
      [
        'ID,Username,Password,Owner,Status,Online,Trial,Restreamer,Active,Connections,Expiration,Last Connection,Actions',
        '1,a,pw,s@example.org,Active,No,No,No,0,1,2027-12-31 23:59:59,Never,',
        '2,b,pw,s@example.org,Banned,No,No,No,0,1,2027-12-31 23:59:59,Never,',
        '3,c,pw,s@example.org,Disabled,No,No,No,0,1,2027-12-31 23:59:59,Never,',
        '4,d,pw,s@example.org,Active,Yes,Yes,No,1,1,Never,2026-11-01 10:00:00,',
        '5,e,pw,s@example.org,Expired,No,No,No,0,1,2027-12-31 23:59:59,Never,',
        '6,f,pw,s@example.org,Expired,No,No,No,0,1,2026-10-31 23:59:59,Never,',
      ].join('\n'),
    );
    const ends = ['on 2027-12-31', 'off 2027-12-31', 'off 2027-12-31', 'on', 'STATE_ENDED'];
    expect(rows.map(told)).toEqual([...ends, 'on 2026-10-31']);
    expect(rows[0]?.notTaken).toContain('Active');
    expect(rows[0]?.notTaken).toContain('Online');
  });

  test('and the older one, whose columns are no numbers, is refused', () => {
    const list = (active: string) =>
      linesIn(
        [
          '"ID","Username","Password","Reseller","Status","Online","Trial","Expiration","Active","Conns","Actions"',
          `"1","a","pw","s@example.org","Active","No","No","2027-12-31 23:59","1","1",""`,
          `"2","b","pw","s@example.org","Active","Yes","No","2027-12-31 23:59","${active}","1",""`,
        ].join('\n'),
      ).map(told);
    expect(list('0')).toEqual(['on 2027-12-31', 'on 2027-12-31']);
    expect(list('No')).toEqual(['STATE_COLUMN', 'STATE_COLUMN']);
    // Beside no such columns "active" is the state.
    expect(judge('active;online', '0;0', '1;0')).toEqual(['off', 'on']);
    expect(judge('active;online', '0;0', '1;1')).toEqual(['STATE_COLUMN', 'STATE_COLUMN']);
    expect(judge('active', '0', '1')).toEqual(['off', 'on']);
  });
});
