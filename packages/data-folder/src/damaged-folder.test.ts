// @module-tag thorough
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { open } from './open.ts';
import { contentOf, hashesOf, linkDatabase, makeDatabase } from './testing/folder-content.ts';

const INTEGRITY = new URL('integrity.ts', import.meta.url).href;

let whole: string;
let killed: string;
let running: string;
let tableFile: string;
let rowsFile: string;
beforeAll(async () => {
  whole = await mkdtemp(join(tmpdir(), 'whole-'));
  killed = await mkdtemp(join(tmpdir(), 'killed-'));
  running = await mkdtemp(join(tmpdir(), 'running-'));
  await makeDatabase(whole);
  const { pool, close } = await open(whole);
  await pool.query(`insert into settings values ('kept', '"yes"')`);
  tableFile = await pathOf(pool, 'users_pkey');
  // The copy is as a killed panel leaves the folder, without closing it.
  cpSync(whole, killed, { recursive: true });
  await close();
  await leaveRunning();
});

async function pathOf(pool: Pool, table: string): Promise<string> {
  const { rows } = await pool.query('select pg_relation_filepath($1) as path', [table]);
  return rows[0].path;
}

/** Leaves a folder as a panel does that was stopped and started before it was killed. */
async function leaveRunning(): Promise<void> {
  cpSync(whole, running, { recursive: true });
  const { pool, keepTables, close } = await open(running);
  rowsFile = await pathOf(pool, 'settings');
  keepTables();
  await pool.query(`insert into settings values ('since', '"too"')`);
  const kept = `${running}.kept`;
  cpSync(running, kept, { recursive: true });
  await close();
  rmSync(running, { recursive: true });
  renameSync(kept, running);
}

afterAll(() => {
  for (const folder of [whole, killed, running]) rmSync(folder, { recursive: true, force: true });
});

async function refusal(folder: string): Promise<string> {
  const opened = await open(folder).catch((error: Error) => error);
  if (opened instanceof Error) return opened.message;
  await opened.close();
  return 'it was opened';
}

type Damage = (root: string) => void;
const remove =
  (path: string): Damage =>
  (root) =>
    rmSync(join(root, path), { recursive: true });
const cut =
  (path: string, length = 0): Damage =>
  (root) => {
    // The file is copied in place of its link, because the other tests need the original.
    copyFileSync(join(root, path), join(root, 'copied'));
    renameSync(join(root, 'copied'), join(root, path));
    truncateSync(join(root, path), length);
  };
const write =
  (path: string, text: string | Buffer): Damage =>
  (root) => {
    rmSync(join(root, path));
    writeFileSync(join(root, path), text);
  };
const firstLog = (root: string) =>
  join(
    'pg_wal',
    readdirSync(join(root, 'pg_wal'))
      .filter((name) => /^[0-9A-F]{24}$/.test(name))
      .sort()
      .at(-1) ?? '',
  );

const ofAny: [what: string, words: RegExp, damage: Damage][] = [
  ['no PG_VERSION', /PG_VERSION is missing/, remove('PG_VERSION')],
  ['an empty PG_VERSION', /PG_VERSION is empty/, cut('PG_VERSION')],
  ['the PG_VERSION of another', /PG_VERSION has version 17/, write('PG_VERSION', '17\n')],
  ['no control file', /global\/pg_control is missing/, remove('global/pg_control')],
  [
    'a cut control file',
    /global\/pg_control is incomplete: 100 bytes/,
    cut('global/pg_control', 100),
  ],
  ['a blank control file', /pg_control is damaged/, write('global/pg_control', Buffer.alloc(8192))],
  [
    'no map of the shared tables',
    /global\/pg_filenode.map is missing/,
    remove('global/pg_filenode.map'),
  ],
  ['a cut map', /base\/5\/pg_filenode.map is incomplete/, cut('base/5/pg_filenode.map', 10)],
  ['no template', /base\/1 is missing/, remove('base/1')],
  ['no tables', /base\/5 is missing/, remove('base/5')],
  ['no base', /base\/1 is missing/, remove('base')],
  ['no version of the tables', /base\/5\/PG_VERSION is missing/, remove('base/5/PG_VERSION')],
  ['no log', /pg_wal is missing/, remove('pg_wal')],
  ['no log file', /pg_wal\/[0-9A-F]{24} is missing/, (root) => remove(firstLog(root))(root)],
  [
    'a cut log file',
    /pg_wal\/[0-9A-F]{24} is incomplete/,
    (root) => cut(firstLog(root), 1_000_000)(root),
  ],
  ['no settings', /postgresql.conf is missing/, remove('postgresql.conf')],
  ['blank settings', /postgresql.conf is empty/, cut('postgresql.conf')],
  ['blank rules of access', /pg_hba.conf is empty/, cut('pg_hba.conf')],
  ['no commit states', /pg_xact is missing/, remove('pg_xact')],
];

const ofStopped: typeof ofAny = [
  ['no file of commit states', /pg_xact is empty/, remove('pg_xact/0000')],
  ['a cut file of commit states', /pg_xact\/0000 is incomplete/, cut('pg_xact/0000', 4096)],
  ['no file of a table', /base\/5\/1259 is missing/, remove('base/5/1259')],
  ['a cut file of a table', /base\/5\/1249 has 8192 bytes/, cut('base/5/1249', 8192)],
];

async function triedWith(
  from: string,
  damage: Damage,
  { tryToOpen = refusal, isLinked = false } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'damaged-'));
  if (isLinked) linkDatabase(from, folder);
  else cpSync(from, folder, { recursive: true });
  damage(join(folder, 'pgdata'));
  const before = contentOf(folder, isLinked ? hashesOf(from) : undefined);
  const message = await tryToOpen(folder);
  const after = contentOf(folder);
  rmSync(folder, { recursive: true });
  return { message, before, after };
}

/** Opens a database that must be refused before it is opened, so it needs no copy. */
const refusedWith = (from: string, damage: Damage) => triedWith(from, damage, { isLinked: true });

describe.each([
  ['stopped', () => whole, [...ofAny, ...ofStopped]],
  ['killed', () => killed, ofAny],
  ['killed while it was up', () => running, ofAny],
] as const)('the database of a panel that was %s', (_, folder, damages) => {
  test.each(damages)(
    'with %s is refused with its name, and stays as it was',
    async (_, words, damage) => {
      const { message, before, after } = await refusedWith(folder(), damage);
      expect(message).toMatch(words);
      expect(message).toContain('nothing in it was changed');
      expect(after).toEqual(before);
    },
  );
});

test('a file of one of our own tables that is gone is noticed too', async () => {
  const { message, before, after } = await refusedWith(whole, remove(tableFile));
  expect(message).toContain(`${tableFile} is missing`);
  expect(after).toEqual(before);
});

describe('a panel that was killed while it was up', () => {
  test.each<[what: string, words: string, damage: (file: string) => Damage, file: () => string]>([
    ['an empty table file', 'has 0 bytes', (file) => cut(file), () => rowsFile],
    ['no table file', 'is missing', remove, () => rowsFile],
    ['no file of a key', 'is missing', remove, () => tableFile],
    ['an empty file of a key', 'has 0 bytes', (file) => cut(file), () => tableFile],
    ['no file of a table of the system', 'is missing', remove, () => 'base/5/1259'],
    ['no commit states', 'is missing', remove, () => 'pg_xact/0000'],
  ])('and has %s is refused with its name, and stays as it was', async (_, words, damage, file) => {
    const { message, before, after } = await refusedWith(running, damage(file()));
    expect(message).toContain(`${file()} ${words}`);
    expect(after).toEqual(before);
  });
});

test.each<[what: string, words: string, damage: (file: string) => Damage]>([
  ['an empty table file', 'is empty', (file) => cut(file)],
  ['no table file', 'is missing', remove],
])('with %s it is refused without a list of files, too', async (_, words, damage) => {
  const { message } = await triedWith(whole, (root) => {
    rmSync(join(root, '../pgdata.files.json'));
    damage(rowsFile)(root);
  });
  expect(message).toContain(`${rowsFile} ${words}`);
});

test('a table that was dropped or emptied before the end is no damage', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dropped-'));
  const copy = await mkdtemp(join(tmpdir(), 'dropped-and-killed-'));
  for (const isUp of [false, true]) {
    cpSync(whole, folder, { recursive: true });
    const { pool, keepTables, close } = await open(folder);
    await pool.query('truncate settings');
    await pool.query('drop table auth_sessions cascade');
    await pool.query('cluster users using users_pkey');
    if (isUp) keepTables();
    cpSync(folder, copy, { recursive: true });
    await close();
    for (const _ of ['first', 'second']) expect(await refusal(copy)).toBe('it was opened');
    for (const used of [folder, copy]) rmSync(used, { recursive: true });
  }
});

test('a link that leads nowhere, or to an empty folder, is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'linked-'));
  const disk = join(folder, 'disk');
  symlinkSync(disk, join(folder, 'pgdata'));
  expect(await refusal(folder)).toContain(`it is a link to ${disk}, where there is nothing`);
  mkdirSync(disk);
  expect(await refusal(folder)).toContain(`it is a link to ${disk}, which is empty`);
  rmSync(folder, { recursive: true });
});

test.each([
  ['stopped', () => whole],
  ['killed', () => killed],
  ['killed while it was up', () => running],
])('one that was %s and is whole opens with what was in it', async (_, from) => {
  const folder = await mkdtemp(join(tmpdir(), 'opened-'));
  cpSync(from(), folder, { recursive: true });
  for (const time of ['first', 'second']) {
    const { pool, close } = await open(folder);
    const { rows } = await pool.query(`select value from settings where key = 'kept'`);
    expect(rows, time).toEqual([{ value: 'yes' }]);
    await close();
  }
  rmSync(folder, { recursive: true });
});

test('settings that the operator edited are no damage, nor is a cache that is gone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'edited-'));
  cpSync(whole, folder, { recursive: true });
  writeFileSync(join(folder, 'pgdata/postgresql.conf'), '\n# mine\n', { flag: 'a' });
  rmSync(join(folder, 'pgdata/global/pg_internal.init'), { force: true });
  expect(await refusal(folder)).toBe('it was opened');
  rmSync(folder, { recursive: true });
});

test('an empty folder gets a new database, and nothing half made stays beside it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'new-'));
  cpSync(join(whole, 'pgdata/global'), join(folder, 'pgdata.new-abc123/global'), {
    recursive: true,
  });
  expect(await refusal(folder)).toBe('it was opened');
  expect(readdirSync(folder).sort()).toEqual(['lock.db', 'pgdata', 'pgdata.files.json']);
  expect(statSync(join(folder, 'pgdata')).mode & 0o077).toBe(0);
  rmSync(folder, { recursive: true });
});

test('a file that may not be written is named', async () => {
  const { message, before, after } = await triedWith(
    whole,
    (root) => {
      chmodSync(join(root, '..'), 0o755);
      chmodSync(join(root, 'base/5/1259'), 0o444);
    },
    { tryToOpen: refusalToNobody },
  );
  expect(message).toContain('cannot be read and written by this user');
  expect(after).toEqual(before);
});

/**
 * Returns the refusal for a user without access. Root may read everything, so if the tests run as
 * root, another user opens the folder.
 */
async function refusalToNobody(folder: string): Promise<string> {
  const look = `const { refuseIncompleteDatabase } = await import(${JSON.stringify(INTEGRITY)});
    try { refuseIncompleteDatabase(${JSON.stringify(folder)}); } catch (error) { console.log(error.message); }`;
  const isRoot = process.getuid?.() === 0;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', look], {
    encoding: 'utf8',
    ...(isRoot ? { uid: 65_534, gid: 65_534 } : {}),
  });
}
