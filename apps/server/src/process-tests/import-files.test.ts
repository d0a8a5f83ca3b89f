// @module-tag thorough
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Panel, startPanel } from '../commands/panel.ts';
import { runProgram } from '../testing/command.ts';
import { holdChecks } from '../testing/held/held-checks.ts';
import { startTestAgent } from '../testing/panel.ts';
import {
  FIRST_START,
  makeMigratedDatabase,
  openTestWorld,
  type TestWorld,
} from '../testing/process.ts';

const fixtures = fileURLToPath(
  new URL('../../../../packages/line-files/src/fixtures', import.meta.url),
);
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let database: Awaited<ReturnType<typeof makeMigratedDatabase>>;
let panel: Panel;
let folder: string;
let world: TestWorld;
const env = () => ({ ...database.env, ...FIRST_START, TIME_ZONE: 'UTC' });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linekeeper-import-files-'));
  await cp(fixtures, folder, { recursive: true });
  agent = await startTestAgent();
  database = await makeMigratedDatabase('postgres');
  const log = pino({ level: 'silent' });
  panel = await startPanel({ ...env(), HOST: '127.0.0.1', PORT: '0' }, log);
  await holdChecks(panel.services.db);
  world = await openTestWorld(panel.url, agent.url);
});
afterAll(async () => {
  await panel?.close();
  await agent?.close();
  await database?.remove();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  const { db } = panel.services;
  await db.deleteFrom('server_accounts').execute();
  await db.deleteFrom('users').execute();
});

/** Exit code, what is said of the file, what is said of its rows, and the sum. */
async function run(name: string, ...options: string[]) {
  const { code, stdout, stderr } = await runProgram(
    'import.ts',
    [join(folder, name), ...options],
    env(),
  );
  const lines = stdout.trimEnd().split('\n');
  const isOfRow = (text: string) => /^Row \d/.test(text);
  return {
    code,
    stderr,
    file: lines
      .slice(1)
      .filter((text) => !isOfRow(text) && !/^(?:Dry run|\d+ new|Noth)/.test(text)),
    rows: lines.filter(isOfRow),
    sum: lines.find((text) => /^(?:Dry run: )?\d+ new/.test(text)),
  };
}

const rowsOf = (numbers: string) => expect.stringContaining(numbers);
const place = 'on Frankfurt 1, of admin@panel.example';

async function stored() {
  const lines = await panel.services.db
    .selectFrom('users')
    .select(['username', 'expiry_date', 'suspension', 'added_date'])
    .orderBy('username')
    .execute();
  return lines.map(({ username, expiry_date, suspension }) =>
    [username, expiry_date, ...(suspension ? ['suspended'] : [])].join(' '),
  );
}

describe('a dry run of a file that operators have', () => {
  test('names what F lines say beside name and password', async () => {
    const { code, file, rows } = await run('01-CCcam-fline-forms.cfg', '--expiry', '2027-12-31');
    expect(code).toBe(2);
    expect(file).toEqual([
      rowsOf(
        'Settings not taken over: hops (10 of 11), emus and EMMs (9 of 11), share limits (7 of 11), channel limits (1 of 11), time slots (1 of 11), hosts (2 of 11)',
      ),
      rowsOf('1 F row is switched off by a comment and was not read: row 3'),
      'No end in the file, so they get 2027-12-31: rows 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18',
    ]);
    expect(rows.slice(0, 2)).toEqual([
      `Row 8: form01 through 2027-12-31 ${place}`,
      `Row 9: form02 through 2027-12-31 ${place}`,
    ]);
    expect(rows.slice(-3)).toEqual([
      'Row 19, password: The password contains a character that card servers do not accept: #',
      'Row 20, password: Username and password are required',
      'Row 21, username: Username and password are required',
    ]);
  });

  test('gives nobody the default day whose own date is not settled', async () => {
    const { rows, sum } = await run('02-CCcam-expiry-in-comment.cfg', '--expiry', '2029-12-31');
    const refused = rows.filter((text) => /, expiry:/.test(text)).map((text) => text.split(',')[0]);
    expect(refused).toEqual(['Row 5', 'Row 6']);
    expect(rows.filter((text) => text.includes('2029-12-31'))).toEqual(
      [8, 9, 10, 11, 12, 13, 14, 18].map(
        (row) => `Row ${row}: date${String(row).padStart(2, '0')} through 2029-12-31 ${place}`,
      ),
    );
    expect(sum).toMatch(/^Dry run: 15 new, .*, 3 refused$/);
  });

  test('extends no lines, and says where that is done', async () => {
    const asked = await run('02-CCcam-expiry-in-comment.cfg', '--existing', 'extend');
    expect(asked).toMatchObject({ code: 1 });
    expect(asked.stderr).toContain(
      'Lines that exist are extended under Lines, Import, or by POST /api/lines/bulk',
    );
  });

  test('counts lines that a comment switches off, and adopts them as suspended ones', async () => {
    const name = '03-CCcam-suspended-by-comment.cfg';
    expect((await run(name)).file).toContain(
      '5 F rows are switched off by a comment and were not read: rows 2, 3, 4, 5, 7. --switched-off suspended adopts them as suspended',
    );
    const asked = ['--switched-off', 'suspended', '--expiry', '2028-01-31', '--apply'];
    const adopted = await run(name, ...asked);
    expect(adopted).toMatchObject({ code: 0, stderr: '' });
    expect(adopted.file).toEqual([
      rowsOf('Settings not taken over: hops (5 of 7)'),
      '5 F rows are switched off by a comment, to be suspended: rows 2, 3, 4, 5, 7',
      'No end in the file, so they got 2028-01-31: rows 3, 4, 5',
    ]);
    expect(await stored()).toEqual([
      'live01 2027-12-31',
      'live07 2027-12-31',
      'off02 2027-12-31 suspended',
      'off03 2028-01-31 suspended',
      'off04 2028-01-31 suspended',
      'off05 2028-01-31 suspended',
      'off06 2026-02-01 suspended',
    ]);
  });

  test('names the settings of an oscam.user and leaves out whoever operates it', async () => {
    const { file, rows } = await run('05-oscam-webif-saved.user', '--expiry', '2027-12-31');
    expect(file).toEqual([
      rowsOf('group (5 of 5), services (2 of 5)'),
      'No end in the file, so they get 2027-12-31: row 18',
    ]);
    expect(rows.find((row) => row.startsWith('Row 37: A CCcam client sends'))).toBeDefined();
    expect(rows.filter((row) => !row.startsWith('Row 37: A CCcam')).slice(4)).toEqual([
      'Row 43, password: Username and password are required',
      'Row 48: With monlevel 4, this account is a login to OSCam itself, not a customer',
      `Row 54: old_one through 2022-06-30 ${place}`,
    ]);
  });

  test('keeps what the Xtream family has switched off, and the day it was added', async () => {
    const asked = ['--expiry', '2030-01-31', '--owner', 'seller@panel.example', '--apply'];
    const { code, file } = await run('11-xtream-lines-table.csv', ...asked);
    expect([code, file[0]]).toEqual([
      0,
      rowsOf('Columns not taken: id (5 of 5), member_id (5 of 5)'),
    ]);
    expect(await stored()).toEqual([
      'xt01 2028-01-01',
      'xt02 2028-01-01 suspended',
      'xt03 2028-01-01 suspended',
      'xt04 2030-01-31',
      'xt05 2028-01-01',
    ]);
    const { db } = panel.services;
    const line = db.selectFrom('users').select(['added_date', 'owner_id', 'notes']);
    expect(await line.where('username', '=', 'xt01').executeTakeFirst()).toEqual({
      added_date: '2023-11-14',
      owner_id: world.reseller.id,
      notes: 'paid, cash',
    });
  });

  test('says of credentials outside ASCII, and of the code page', async () => {
    expect((await run('09-oscam-mixed-encoding.user')).file).toContain(
      'Usernames or passwords with characters outside ASCII, which receivers may send in another encoding than UTF-8: rows 1, 15',
    );
    const bytes = Buffer.from('user;pass;expiry\nanna;pa\xdfwort;2027-12-31\n', 'latin1');
    await writeFile(join(folder, 'ansi.csv'), bytes);
    expect((await run('ansi.csv')).file[0]).toBe('Read as Windows-1252; --encoding names another');
    const polish = await run('ansi.csv', '--encoding', 'windows-1250');
    expect(polish.file[0]).toBe('Read as Windows-1250; --encoding names another');
  });
});

test('names days of adding that are not taken over', async () => {
  const csv = 'user,pass,expiry,added\na,b,2027-12-31,soon\nc,d,2027-12-31,03/04/2025\n';
  await writeFile(join(folder, 'added.csv'), csv);
  expect((await run('added.csv')).file).toEqual([
    'It is unclear when lines were added, so today’s date is used: rows 2, 3',
  ]);
});

test('an owner is named by email or id only, and no second row of a name is taken', async () => {
  const { db } = panel.services;
  const named = { username: 'chosen-by-himself' };
  await db.updateTable('auth_users').set(named).where('id', '=', world.reseller.id).execute();
  const csv = [
    'user,pass,expiry,owner',
    'a,pw,2027-12-31,chosen-by-himself',
    `b,pw,2027-12-31,${world.reseller.id}`,
    'c,pw,soon,',
    'c,pw,2027-12-31,',
  ].join('\n');
  await writeFile(join(folder, 'owners.csv'), `${csv}\n`);
  const nobody = 'There is no account chosen-by-himself: name it by email or id';
  expect((await run('owners.csv')).rows).toEqual([
    `Row 2, owner: ${nobody}`,
    'Row 3: b through 2027-12-31 on Frankfurt 1, of seller@panel.example',
    'Row 4, expiry: soon cannot be read as a date',
    'Row 5, username: The same username is in row 4',
  ]);
  expect(await run('owners.csv', '--owner', 'chosen-by-himself')).toMatchObject({
    code: 1,
    stderr: `${nobody}\n`,
  });
});

test('a name that is on another server says so, and the exit code is no success', async () => {
  const second = await world.admin.post('/api/servers', {
    ...{ server_name: 'Second', host_ip: '127.0.0.2', port: 12000, username: 'panel' },
    password: 'pw',
  });
  const { db } = panel.services;
  await db.updateTable('cccam_servers').set({ status: 'active' }).execute();
  expect(second.status).toBe(201);
  await writeFile(join(folder, 'first.csv'), 'user,pass,expiry\nanna,pw,2027-12-31\n');
  const first = await run('first.csv', '--server', 'Frankfurt 1', '--apply');
  expect(first).toMatchObject({ code: 0, sum: expect.stringMatching(/^1 new/) });
  expect(await run('first.csv', '--server', 'Frankfurt 1')).toMatchObject({ code: 0 });
  expect(await run('first.csv', '--server', 'Second')).toMatchObject({
    code: 2,
    rows: ['Row 2: already there on Frankfurt 1, and not on Second; not changed'],
    sum: 'Dry run: 0 new, 0 already there, 0 differ and were not changed, 1 on another server',
  });
  await writeFile(join(folder, 'other.csv'), 'user,pass,expiry\nanna,other,2027-12-31\n');
  expect(await run('other.csv', '--server', 'Frankfurt 1')).toMatchObject({
    code: 2,
    rows: ['Row 2: already there with another password; not changed'],
  });
});
