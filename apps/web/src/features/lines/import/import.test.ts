import type { Job } from '@linekeeper/contract/lines/bulk.ts';
import { guessMapping, withColumnMapped } from '@linekeeper/line-files/csv-columns.ts';
import { expect, it } from 'vitest';
import { draftOf, importBody, linesOf } from './draft.ts';
import { missingFields, shownCell } from './import-fields.ts';
import { fileRows, problemRowsCsv } from './problem-rows.tsx';
import { readBytes } from './read-file.ts';
import { withUnreadable } from './unreadable-rows.ts';

function draftIn(name: string, text: string) {
  const outcome = readBytes(name, new TextEncoder().encode(text), 'en');
  if ('problem' in outcome) throw new Error(outcome.problem.kind);
  return draftOf(outcome.file);
}

function bodyOf(draft: ReturnType<typeof draftIn>, lastDay: string | null = null) {
  return importBody(draft, linesOf(draft, 'UTC'), lastDay);
}

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
  expect(withColumnMapped(['username', 'password', null], 2, 'username')).toEqual([
    null,
    'password',
    'username',
  ]);
  expect(withColumnMapped(['username', null, 'name'], 0, null)).toEqual([null, null, 'name']);
});

it('lists missing required fields: username, password and duration', () => {
  expect(missingFields(['name'])).toEqual(['username', 'password', 'subscription_months']);
  expect(missingFields(['username', 'password', 'is_trial'])).toEqual([]);
});

it('extends lines that exist only where that is chosen and the file has months', () => {
  const draft = draftIn('a.csv', 'user;months\nann;3\n');
  expect(bodyOf(draft)).not.toHaveProperty('existing');
  const extending = { ...draft, extendsExisting: true };
  expect(bodyOf(extending)).toMatchObject({
    existing: 'extend',
    rows: [{ username: 'ann', subscription_months: '3' }],
  });
  const placed = { ...draftIn('b.csv', 'user;pass;months\nann;;3\nbob;pw;3\n'), server_id: '7' };
  const serversOf = (some: typeof placed) => bodyOf(some).rows.map(({ server_id }) => server_id);
  expect(serversOf({ ...placed, extendsExisting: true })).toEqual([undefined, '7']);
  expect(serversOf(placed)).toEqual(['7', '7']);
  const unmapped = { ...extending, mapping: ['username', null] as const };
  expect(bodyOf(unmapped)).not.toHaveProperty('existing');
  expect(missingFields(draft.mapping)).toEqual(['password']);
  expect(missingFields(draft.mapping, { isExtending: true })).toEqual([]);
});

it('sends yes and no as the panel knows them, and anything else as it stands', () => {
  const cells = ['Ja', 'tak', 'NÃO', 'nein', 'maybe', ''];
  const rows = cells.map((cell, index) => `u${index};pw;${cell};ja`);
  const { rows: sent } = bodyOf(draftIn('a.csv', `user;pass;trial;notes\n${rows.join('\n')}\n`));
  expect(sent.map(({ is_trial }) => is_trial)).toEqual([
    ...['true', 'true', 'false', 'false', 'maybe'],
    undefined,
  ]);
  expect(sent[0]).toMatchObject({ notes: 'ja' });
});

it('sends days, states and owners as the command reads them', () => {
  const text = [
    'user;pass;expiry;enabled;owner;created_at;notes',
    'a;pw;5.3.2027;1;ben@example.org;1700000000;5.3.2027',
    'b;=pw;2027-12-05;0;;;',
    'c;pw;3/4/2027;1;;;',
    'd;pw;;1;;;',
  ].join('\n');
  const draft = { ...draftIn('a.csv', `${text}\n`), server_id: 'some-server' };
  const body = bodyOf(draft, '2028-01-31');
  const server_id = 'some-server';
  expect(body).toMatchObject({
    row_numbers: [2, 3, 5],
    rows: [
      {
        ...{ username: 'a', password: 'pw', expiry_date: '05-03-2027', owner: 'ben@example.org' },
        ...{ is_suspended: 'false', added_date: '2023-11-14', notes: '5.3.2027', server_id },
      },
      { username: 'b', password: "'=pw", expiry_date: '05-12-2027', is_suspended: 'true' },
      { username: 'd', expiry_date: '31-01-2028' },
    ],
  });
  const job = { total: 3, skipped: 0, items: [{ position: 3, state: 'waiting' }] } as Job;
  expect(withUnreadable(job, linesOf(draft, 'UTC'), draft.mapping)).toMatchObject({
    ...{ total: 4, skipped: 1 },
    items: [{ position: 3 }, { position: 4, username: 'c', error: { code: 'DAY_AMBIGUOUS' } }],
  });
});

it('recognises the files of card servers, and takes switched off lines where that is asked for', () => {
  const text = 'F: live pw-1 1 0 0 { 0:0:1 } # 31-12-2027\n#F: off pw-2 # 31-12-2027\n';
  const undated = draftIn('CCcam.cfg', text);
  expect(bodyOf(undated).rows).toEqual([]);
  const draft = { ...undated, choices: { dates: 'd-m-y' as const, states: {} } };
  expect(draft.file.format).toBe('cccam');
  const live = {
    username: 'live',
    password: 'pw-1',
    notes: '31-12-2027',
    expiry_date: '31-12-2027',
  };
  expect(bodyOf(draft).rows).toEqual([live]);
  expect(bodyOf({ ...draft, takesSwitchedOff: true }).rows).toMatchObject([
    live,
    { username: 'off', is_suspended: 'true' },
  ]);
  const oscam = draftIn('oscam.user', '[account]\nuser = a\npwd = b\ndisabled = 1 # note\n');
  expect(bodyOf(oscam).rows).toEqual([{ username: 'a', password: 'b', is_suspended: 'true' }]);
});

it('sends what each value of a state was chosen to mean, and no row that is left out', () => {
  const text =
    'user;pass;status;expiry\na;pw;Banned;2027-12-31\nb;pw;VIP;2027-12-31\nc;pw;;2027-12-31\n';
  const draft = draftIn('a.csv', text);
  expect(bodyOf(draft).rows).toEqual([]);
  const states = { 'status: banned': 'off', 'status: vip': 'on', 'status: ': 'leave_out' } as const;
  const chosen = { ...draft, choices: { dates: null, states } };
  expect(bodyOf(chosen).rows).toMatchObject([
    { username: 'a', is_suspended: 'true' },
    { username: 'b', is_suspended: 'false' },
  ]);
  // The panel's own files have labels in this column, which are kept.
  const own =
    'username;password;status;live_channel;user_value;added_date\na;pw;vip|x;;;\nb;pw;;;;\n';
  const labelled = {
    ...draftIn('own.csv', own),
    choices: { dates: null, states: { 'status: vip': 'on', 'status: x': 'on' } as const },
  };
  expect(bodyOf(labelled).rows).toMatchObject([
    { username: 'a', is_suspended: 'false', status: 'vip|x' },
    { username: 'b' },
  ]);
});

it('sends no second row of a name, also where the first cannot be read', () => {
  const draft = draftIn('a.csv', 'user;pass;expiry\na;pw;soon\na;pw;2027-12-31\n');
  expect(bodyOf(draft).rows).toEqual([]);
  expect(linesOf(draft, 'UTC').map(({ fault }) => fault?.code)).toEqual([
    'DAY_UNREADABLE',
    'NAME_TWICE',
  ]);
});

it('speaks of the missing day where a file has no months', () => {
  const answered = { position: 1, state: 'skipped', error: { code: 'TRIAL_OR_SUBSCRIPTION' } };
  const job = { total: 1, skipped: 1, items: [answered] } as unknown as Job;
  const codeOf = (name: string, text: string) => {
    const draft = draftIn(name, text);
    return withUnreadable(job, linesOf(draft, 'UTC'), draft.mapping).items[0]?.error?.code;
  };
  expect(codeOf('CCcam.cfg', 'F: a pw\n')).toBe('DAY_MISSING');
  expect(codeOf('oscam.user', '[account]\nuser = a\npwd = b\n')).toBe('DAY_MISSING');
  expect(codeOf('a.csv', 'user;pass;expiry\na;pw;\n')).toBe('DAY_MISSING');
  expect(codeOf('a.csv', 'user;pass;months\na;pw;\n')).toBe('TRIAL_OR_SUBSCRIPTION');
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
  const draft = draftIn('lines.csv', text);
  const problem = (position: number) => ({
    position,
    error: { code: 'INVALID_VALUE', message: '', data: { position }, field: null },
  });
  const csv = problemRowsCsv(fileRows(draft, linesOf(draft, 'UTC')), [problem(4), problem(5)], {
    row: 'Zeile',
    reason: 'Grund',
    column: (number) => `Spalte ${number}`,
    reasonOf: (error) => `-wrong ${error?.data.position}`,
  });
  expect(csv).toBe(
    [
      '\ufeff"Login","Kennwort","Monate","Notiz","Spalte 5","Zeile","Grund"',
      '"bob","pw","7","\'=1+1 ""x""","","4","\'-wrong 4"',
      '"\'-cid","\'-pw","1","\'=2","left","5","\'-wrong 5"',
      '',
    ].join('\r\n'),
  );
  // The corrected file is read like any other.
  const { mapping } = draftIn('again.csv', csv);
  expect(mapping.slice(0, 4)).toEqual(['username', 'password', 'subscription_months', 'notes']);
  expect(mapping.slice(5)).toEqual([null, null]);
  const again = linesOf(draftIn('again.csv', csv), 'UTC');
  expect(again).toMatchObject([{}, { username: '-cid', password: '-pw' }]);
});

it('says whose the lines are, and that their card servers have them, where that is chosen', () => {
  const draft = draftIn('a.csv', 'user;pass;months;owner\nann;pw;3;\nbob;pw;3;bob@example.org\n');
  const owner = { id: '7', email: 'ada@example.org' };
  const { rows, adopt } = bodyOf({ ...draft, owner, adopts: true });
  expect(rows.map((row) => row.owner)).toEqual(['ada@example.org', 'bob@example.org']);
  expect(adopt).toBe(true);
  expect(bodyOf(draft)).not.toHaveProperty('adopt');
});

it('knows a file of accounts by its columns, and gives what each row says', () => {
  const outcome = readBytes(
    'accounts.csv',
    new TextEncoder().encode(
      'E-mail;Group;Credits;Owner;Shoe size\nben@example.org;Users;;ada@example.org;44\nada@example.org;;50;;\ncut@example.org\n',
    ),
    'en',
  );
  const { accounts } = 'file' in outcome ? outcome.file : { accounts: null };
  expect(accounts?.ignored).toEqual(['Shoe size']);
  expect(accounts?.accounts).toMatchObject([
    {
      number: 2,
      row: { email: 'ben@example.org', group: 'Users', owner: 'ada@example.org' },
      fault: null,
    },
    { number: 3, row: { email: 'ada@example.org', credits: '50' }, fault: null },
    { number: 4, fault: { code: 'CUT_OFF' } },
  ]);
  const ofLines = readBytes(
    'lines.csv',
    new TextEncoder().encode('username;password;email;group;expiry\na;b;;;\n'),
    'en',
  );
  expect('file' in ofLines && ofLines.file.accounts).toBe(null);
});
