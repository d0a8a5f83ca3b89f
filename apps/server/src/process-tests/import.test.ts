// @module-tag thorough
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addDays, addMonths, formatDay, today } from '@linekeeper/contract/dates.ts';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Panel, startPanel } from '../commands/panel.ts';
import { readSecretKey } from '../platform/keys/key-file.ts';
import { TestClient } from '../testing/client.ts';
import { runProgram } from '../testing/command.ts';
import { eventually } from '../testing/eventually.ts';
import { holdChecks } from '../testing/held/held-checks.ts';
import { expectBalancedBooks } from '../testing/ledger.ts';
import { newLine, readServerFiles } from '../testing/lines.ts';
import { databases, startTestAgent } from '../testing/panel.ts';
import {
  FIRST_START,
  makeMigratedDatabase,
  movedTo,
  openTestWorld,
  type TestWorld,
} from '../testing/process.ts';
import { ZONE } from '../testing/zone.ts';

const dayAway = (days: number) => addDays(today(ZONE), days);

describe.each(databases)('import on %s', (kind) => {
  const isEmbedded = kind === 'embedded';
  let agent: Awaited<ReturnType<typeof startTestAgent>>;
  let database: Awaited<ReturnType<typeof makeMigratedDatabase>>;
  let panel: Panel | null = null;
  let world: TestWorld;
  let key: string;
  let folder: string;

  const env = () => ({
    ...database.env,
    ...FIRST_START,
    ...(isEmbedded ? {} : { SECRET_KEY: key }),
  });
  async function start(): Promise<Panel> {
    const log = pino({ level: 'silent' });
    panel ??= await startPanel({ ...env(), HOST: '127.0.0.1', PORT: '0' }, log);
    return panel;
  }
  async function stop(): Promise<void> {
    await panel?.close();
    panel = null;
  }
  /** On the embedded database no panel may run meanwhile; on PostgreSQL it goes on. */
  async function run(name: string, content: string, ...options: string[]) {
    await writeFile(join(folder, name), content);
    if (isEmbedded) await stop();
    const { code, stdout, stderr } = await runProgram(
      'import.ts',
      [join(folder, name), ...options],
      env(),
    );
    return { code, stderr, lines: stdout.trimEnd().split('\n').slice(1) };
  }
  /** On the embedded database the panel is another one after each run, with the same cookies. */
  async function read(path: string) {
    const { url } = await start();
    return (await movedTo(url, world.admin).get(path)).body;
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'linekeeper-import-'));
    agent = await startTestAgent();
    database = await makeMigratedDatabase(kind);
    key = database.env.SECRET_KEY ?? '';
    const { url, services } = await start();
    await holdChecks(services.db);
    if (isEmbedded) key = readSecretKey(database.env.DATA_DIR ?? '') ?? '';
    world = await openTestWorld(url, agent.url);
    expect((await world.reseller.client.post('/api/lines', newLine('sold'))).status).toBe(201);
    await expectBalancedBooks(services.db);
  });
  afterAll(async () => {
    await stop();
    await agent?.close();
    await database?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  const lineNamed = async (username: string) =>
    (await read(`/api/lines?q=${username}`)).items.find(
      (line: { username: string }) => line.username === username,
    );
  const oscam = () =>
    [
      '[account]\nuser = anna\ngroup = 1\npwd = pw-anna',
      `expdate = ${dayAway(40)}\n`,
      '[account]\nuser = ended\npwd = pw-ended',
      `expdate = ${dayAway(-40).replaceAll('-', '/')}\n`,
      '[account]\nuser = off\npwd = pw-off\ndisabled = 1',
      `expdate = ${dayAway(9)}\n`,
      '[account]\nuser = endless\npwd = pw-endless\n',
      '[account]\nuser = sold\npwd = pw-sold\n',
      '[account]\nuser = a b\ngroup = 1\npwd = pw-ab\n',
      '[account]\nuser = anna\npwd = again\n',
    ].join('\n');
  const endless = 'The row has no expiry date: give one for all of these by --expiry';

  test('says of an oscam.user what it would do, and does nothing', async () => {
    expect(await run('oscam.user', oscam())).toEqual({
      code: 2,
      stderr: '',
      lines: [
        // Only of rows that are adopted.
        'Settings not taken over: group (1 of 3). They stay where the agent takes the old rows over; a line that it writes has its own settings',
        `Row 1: anna through ${dayAway(40)} on Frankfurt 1, of admin@panel.example`,
        `Row 7: ended through ${dayAway(-40)} on Frankfurt 1, of admin@panel.example`,
        `Row 12: off through ${dayAway(9)} on Frankfurt 1, of admin@panel.example, suspended`,
        `Row 18, expiry: ${endless}`,
        `Row 22, expiry: ${endless}`,
        'Row 26, username: The username contains a character that card servers do not accept: space',
        'Row 31, username: The same username is in row 1',
        'Dry run: 3 new, 0 already there, 0 differ and were not changed, 4 refused',
        'Nothing was written. To adopt them, run it again with --apply',
      ],
    });
    expect((await read('/api/lines/counts')).all).toBe(1);
  });

  test('adopts it for nothing, with owner, server and expiry; twice changes nothing', async () => {
    const options = ['--owner', 'seller@panel.example', '--server', 'frankfurt 1'];
    const asked = [...options, '--expiry', dayAway(100), '--apply'];
    const before = await read(`/api/accounts/${world.reseller.id}`);
    const summary = (text: string) => ({ code: 2, lines: expect.arrayContaining([text]) });
    expect(await run('oscam.user', oscam(), ...asked)).toMatchObject(
      summary('4 new, 1 already there, 0 differ and were not changed, 2 refused'),
    );
    expect(await run('oscam.user', oscam(), ...asked)).toMatchObject(
      summary('0 new, 5 already there, 0 differ and were not changed, 2 refused'),
    );
    const after = await read(`/api/accounts/${world.reseller.id}`);
    expect(after).toMatchObject({ credits: before.credits, line_count: 5 });
    const owner = { owner_id: world.reseller.id, server_id: world.server_id };
    expect(await lineNamed('anna')).toMatchObject({ ...owner, expiry_date: dayAway(40) });
    expect(await lineNamed('ended')).toMatchObject({ ...owner, expiry_date: dayAway(-40) });
    expect(await lineNamed('endless')).toMatchObject({ ...owner, expiry_date: dayAway(100) });
    expect(await lineNamed('sold')).toMatchObject({ expiry_date: addMonths(today(ZONE), 1) });
    const off = await lineNamed('off');
    expect(off).toMatchObject({ status: [{ label: 'suspended' }], expiry_date: dayAway(9) });
    expect(off.suspension).toMatchObject({ can_resume: true });
    const { services } = await start();
    const sales = services.db
      .selectFrom('credit_transfers')
      .select('kind')
      .where('kind', '!=', 'mint');
    expect((await sales.execute()).map(({ kind }) => kind)).toEqual(['sale']);
    await expectBalancedBooks(services.db);
    const entries = await services.db
      .selectFrom('audit_log')
      .select(['actor_id', 'data'])
      .where('action', '=', 'line.adopt')
      .where('subject_id', '=', off.id)
      .execute();
    expect(entries).toMatchObject([{ data: { adopted_from: 'oscam.user', is_suspended: true } }]);
    expect(entries[0]?.actor_id).toEqual(expect.any(String));
  });

  test('adopts names that are too long for CCcam, with a warning', async () => {
    const file = '[account]\nuser = Testkunde_Wohnzimmer1\npwd = pw\nexpdate = 2087-01-01\n';
    const warning =
      'Row 1: A CCcam client sends only the first 20 bytes of this username. ' +
      'It is adopted as it is, and marked in the panel';
    const options = ['--owner', 'seller@panel.example', '--server', 'frankfurt 1'];
    const dry = await run('long.user', file, ...options);
    expect([dry.code, dry.lines[0]]).toEqual([0, warning]);
    const applied = await run('long.user', file, ...options, '--apply');
    expect([applied.code, applied.lines[0]]).toEqual([0, warning]);
    const line = await lineNamed('Testkunde_Wohnzimmer1');
    expect(line).toMatchObject({ name_problem: 'NAME_TOO_LONG_FOR_CCCAM' });
    await (await start()).services.db.deleteFrom('users').where('id', '=', line.id).execute();
  });

  test('names rows of which a CCcam client sends the same', async () => {
    const names = ['shared-by-three-rows-1', 'shared-by-three-rows-22', 'shared-by-three-rows'];
    const csv = ['user,pass,expiry', ...names.map((name) => `${name},pw,2087-01-01`)].join('\n');
    const cut =
      'A CCcam client sends only the first 20 bytes of this username, and the same of rows';
    const marked = '. It is adopted as it is, and marked in the panel';
    const options = ['--server', 'frankfurt 1'];
    const told = (lines: string[]) => lines.filter((line) => /sends/.test(line));
    const expected = [
      `Row 2: ${cut} 3, 4${marked}`,
      `Row 3: ${cut} 2, 4${marked}`,
      'Row 4: A CCcam client sends the first 20 bytes of rows 2, 3, too. It is adopted as it is',
    ];
    expect(told((await run('alike.csv', csv, ...options)).lines)).toEqual(expected);
    expect(told((await run('alike.csv', csv, ...options, '--apply')).lines)).toEqual(expected);
    const two =
      'user,pass,expiry\nshared-by-two-rows-1,pw,2087-01-01\nshared-by-two-rows-12,pw,2087-01-01\n';
    expect(told((await run('two.csv', two, ...options)).lines)).toEqual([
      'Row 2: A CCcam client sends the first 20 bytes of row 3, too. It is adopted as it is',
      `Row 3: ${cut.replace('rows', 'row')} 2${marked}`,
    ]);
    // Of a line that is there already the next file says the same.
    const next = 'user,pass,expiry\nshared-by-three-rows-4,pw,2087-01-01\n';
    expect(told((await run('next.csv', next, ...options)).lines)).toEqual([
      expect.stringContaining('and the same of another line of this card server'),
    ]);
    const { db } = (await start()).services;
    await db.updateTable('cccam_servers').set({ protocol: 'NewCamd' }).execute();
    expect(told((await run('next.csv', next, ...options)).lines)).toEqual([]);
    const again = (await start()).services.db;
    await again.updateTable('cccam_servers').set({ protocol: 'CCcam' }).execute();
    await again.deleteFrom('users').where('username', 'like', 'shared-by%').execute();
  });

  test('brings adopted lines to their server, and takes suspended ones off it', async () => {
    await start();
    await eventually(async () => {
      const files = await readServerFiles(agent);
      expect(files.cccam).toContain('F: anna pw-anna\n');
      expect(files.cccam).toContain('F: endless pw-endless\n');
      expect(files.cccam).not.toContain('off');
    });
    const { url } = await start();
    const { id } = await lineNamed('anna');
    const revealed = await movedTo(url, world.admin).post(`/api/lines/${id}/reveal`);
    expect(revealed.body).toEqual({ password: 'pw-anna' });
  });

  test('names what differs, and changes none of it', async () => {
    const csv = [
      'user;pass;expiry;owner;status',
      `anna;other;${dayAway(41)};admin@panel.example;suspended`,
      'endless;pw-endless;;;active',
      `x1;pw;03/04/2027;;active`,
      `x2;pw;${dayAway(5)};nobody@panel.example;active`,
    ].join('\n');
    expect(await run('lines.csv', csv, '--apply')).toEqual({
      code: 2,
      stderr: '',
      lines: [
        'Row 2: already there with another password, expiry, owner, status; not changed',
        `Row 3, expiry: ${endless}`,
        'Row 4, expiry: 03/04/2027 could be two different days. Write it as YYYY-MM-DD or DD.MM.YYYY.',
        'Row 5, owner: There is no account nobody@panel.example: name it by email or id',
        '0 new, 0 already there, 1 differs and was not changed, 3 refused',
      ],
    });
    expect(await lineNamed('anna')).toMatchObject({ expiry_date: dayAway(40), suspension: null });
  });

  test('adopts onto a closed or full server that is named, which has the line already', async () => {
    const limit = async (closed_to_new_lines: boolean, max_lines: number | null) => {
      const { db } = (await start()).services;
      await db.updateTable('cccam_servers').set({ closed_to_new_lines, max_lines }).execute();
    };
    const row = `user,pass,expiry\nkept,pw-kept,${dayAway(20)}`;
    await limit(true, 1);
    expect((await run('kept.csv', row, '--apply')).lines.at(-1)).toMatch(/^0 new, .* 1 refused$/);
    const named = await run('kept.csv', row, '--server', 'Frankfurt 1', '--apply');
    await limit(false, null);
    expect(named).toMatchObject({ code: 0, lines: [expect.stringMatching(/^1 new, /)] });
  });

  test('that is killed midway is completed by the next, without doubles', async () => {
    const rows = Array.from({ length: 300 }, (_, row) =>
      row === 150
        ? 'F: unpaid'
        : `F: many-${row} pw-${row} 1 0 0 { 0:0:1 } # ${formatDay(dayAway(30))}`,
    );
    await writeFile(join(folder, 'CCcam.cfg'), rows.join('\n'));
    if (isEmbedded) await stop();
    const killed = await runProgram(
      'import.ts',
      [join(folder, 'CCcam.cfg'), '--apply'],
      env(),
      (child) => child.stdout?.on('data', (text) => /Row 151/.test(text) && child.kill('SIGKILL')),
    );
    expect(killed).toMatchObject({ code: null, stderr: '' });
    const { lines } = await run('CCcam.cfg', rows.join('\n'), '--apply');
    const [, added = '', there = ''] = /^(\d+) new, (\d+) already/.exec(lines.at(-1) ?? '') ?? [];
    expect(Number(there)).toBeGreaterThanOrEqual(150);
    expect(Number(added) + Number(there)).toBe(299);
    const { db } = (await start()).services;
    const made = db.selectFrom('users').select('username').where('username', 'like', 'many-%');
    expect(await made.execute()).toHaveLength(299);
  });

  test('has the folder for itself, and other programs say whose it is', async () => {
    if (!isEmbedded) return;
    await stop();
    const rows = Array.from(
      { length: 300 },
      (_, row) => `F: held-${row} pw # ${formatDay(dayAway(30))}`,
    );
    const file = join(folder, 'held.cfg');
    await writeFile(file, rows.join('\n'));
    const others: Promise<unknown>[] = [];
    const { DATA_DIR } = database.env;
    const held = (name: string) => ({
      code: 1,
      stderr: `npm run ${name} is at work on ${DATA_DIR}: run this again when it has ended\n`,
    });
    const importing = runProgram('import.ts', [file], env(), (child) =>
      child.stdout?.once('data', () => {
        child.kill('SIGSTOP');
        const [again, reset, panels] = [
          runProgram('import.ts', [file], env()),
          runProgram('reset-password.ts', ['admin@panel.example'], env()),
          runProgram('main.ts', [], { ...env(), HOST: '127.0.0.1', PORT: '0' }),
        ];
        others.push(again, reset, panels);
        void Promise.allSettled(others).then(() => child.kill('SIGCONT'));
      }),
    );
    expect(await importing).toMatchObject({ code: 0, stderr: '' });
    expect(others).toHaveLength(3);
    for (const other of others) expect(await other).toMatchObject(held('import'));
    // Of one that was killed nothing is told.
    await runProgram('import.ts', [file], env(), (child) =>
      child.stdout?.once('data', () => child.kill('SIGKILL')),
    );
    expect(await runProgram('migrate.ts', [], env())).toMatchObject({ code: 0, stderr: '' });
    await start();
    expect((await runProgram('import.ts', [file], env())).stderr).toBe(
      'A panel is running on this database: stop it, run this again, then start it again\n',
    );
  });

  test('adopts accounts with group, owner, credits and password', async () => {
    const csv = [
      'email,full_name,group,credits,owner,password',
      'below@panel.example,Ben,Users,0,above@panel.example,',
      'above@panel.example,Ada,resellers,50,,a long password',
      'bad@panel.example,,Nobodies,0,,',
      'weak@panel.example,,Users,1.5,,',
      'seller@panel.example,,Resellers,7,,',
    ].join('\n');
    const refused = [
      'Row 4, group: There is no group Nobodies',
      'Row 5, credits: Only whole credits can be moved',
    ];
    const dry = await run('accounts.csv', csv);
    expect(dry.lines).toEqual([
      'Row 3: above@panel.example at the top',
      'Row 2: below@panel.example below above@panel.example',
      refused[0],
      expect.stringMatching(/^Row 5, credits: /),
      'Dry run: 2 new, 1 already there, 0 differ and were not changed, 2 refused',
      'Nothing was written. To adopt them, run it again with --apply',
    ]);
    expect((await run('accounts.csv', csv, '--apply')).lines.at(-1)).toBe(
      '2 new, 1 already there, 0 differ and were not changed, 2 refused',
    );
    expect((await run('accounts.csv', csv, '--apply')).lines.at(-1)).toBe(
      '0 new, 3 already there, 0 differ and were not changed, 2 refused',
    );
    const { items } = await read('/api/accounts?q=panel.example');
    const byEmail = (email: string) => items.find((one: { email: string }) => one.email === email);
    const above = byEmail('above@panel.example');
    expect(above).toMatchObject({ full_name: 'Ada', group_id: '2', credits: 50, owner_id: null });
    const below = byEmail('below@panel.example');
    expect(below).toMatchObject({ group_id: '3', credits: 0, owner_id: above.id });
    const { url, services } = await start();
    await expectBalancedBooks(services.db);
    const client = new TestClient(url);
    const email = 'above@panel.example';
    expect((await client.signIn(email, 'a long password')).status).toBe(200);
    // Without a password nobody signs in, until an administrator has made a link.
    const none = new TestClient(url);
    expect((await none.signIn('below@panel.example', 'a long password')).status).toBe(401);
    const admin = movedTo(url, world.admin);
    const link = await admin.post(`/api/accounts/${below.id}/reset-link`);
    const token = new URL(link.body.url).searchParams.get('token');
    const set = { token, new_password: 'a password of Ben' };
    expect((await none.post('/api/auth/reset-password', set)).status).toBe(200);
    expect((await none.signIn('below@panel.example', set.new_password)).status).toBe(200);
  });

  test('says in one sentence what it was not told well', async () => {
    const csv = 'user,pass\nanna,pw';
    const told = async (...options: string[]) => {
      const { code, stderr } = await run('lines.csv', csv, ...options);
      return [code, stderr];
    };
    expect(await told('--owner', 'nobody')).toEqual([
      1,
      'There is no account nobody: name it by email or id\n',
    ]);
    expect(await told('--server', 'Mars')).toEqual([1, 'There is no server Mars\n']);
    expect(await told('--format', 'xml')).toEqual([
      1,
      '--format is one of cccam, oscam, csv, accounts\n',
    ]);
    expect(await told('--format', 'oscam')).toEqual([
      1,
      'No lines were found when reading the file as an oscam.user. --format names another format\n',
    ]);
    expect(await told('--format', 'accounts')).toEqual([
      1,
      'The first row names no column email. Nothing was read\n',
    ]);
    const headings = await run('headings.csv', 'user,pass\n');
    expect([headings.code, headings.stderr]).toEqual([
      1,
      'The file has headings but no rows below them\n',
    ]);
    const unmarked = Buffer.from('user,pass\nanna,pw', 'utf16le').toString('latin1');
    const foreign = await run('utf16.csv', unmarked);
    expect([foreign.code, foreign.stderr]).toEqual([
      1,
      'The file is UTF-16 without a byte order mark: save it as UTF-8\n',
    ]);
    if (!isEmbedded) return;
    await start();
    const file = join(folder, 'lines.csv');
    expect(await runProgram('import.ts', [file], env())).toEqual({
      code: 1,
      stdout: '',
      stderr: 'A panel is running on this database: stop it, run this again, then start it again\n',
    });
  });
});
