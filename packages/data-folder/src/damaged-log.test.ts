// @module-tag thorough
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { logFileName, logFiles, readControlFile } from './log.ts';
import { type EmbeddedDatabase, open } from './open.ts';
import { contentOf, makeDatabase } from './testing/folder-content.ts';

const KEYS = ['a', 'b', 'c', 'd', 'e'];

let killed: string;
let killedAgain: string;
beforeAll(async () => {
  const folder = await newFolder();
  await makeDatabase(folder);
  killed = await leftAfter(folder, (database) => write(database, KEYS));
  // The database was closed once, which reuses old log files as future ones.
  killedAgain = await leftAfter(folder, (database) => write(database, ['y', 'z']));
  rmSync(folder, { recursive: true });
});

afterAll(() => {
  for (const folder of [killed, killedAgain]) rmSync(folder, { recursive: true, force: true });
});

const newFolder = () => mkdtemp(join(tmpdir(), 'log-'));

/** Returns a copy of `folder` as a panel that is killed after `work` leaves it. The panel itself is then closed. */
async function leftAfter(
  folder: string,
  work: (database: EmbeddedDatabase) => Promise<void>,
): Promise<string> {
  const left = await newFolder();
  const database = await open(folder);
  database.keepTables();
  await work(database);
  cpSync(folder, left, { recursive: true });
  await database.close();
  return left;
}

/** Writes rows, with large values of half a log file that cannot be compressed. */
async function write({ pool }: EmbeddedDatabase, keys: string[]): Promise<void> {
  for (const key of keys) {
    const large = JSON.stringify(randomBytes(4_000_000).toString('hex'));
    await pool.query('insert into settings values ($1, $2)', [key, '"small"']);
    await pool.query('insert into settings values ($1, $2)', [`large ${key}`, large]);
  }
}

/** Names of the log files that are still read, and of those after them. */
function logOf(folder: string): string[] {
  const control = readControlFile(folder);
  if (typeof control === 'string') throw new Error(control);
  const first = logFileName(control.timeline, control.redo);
  return logFiles(folder).filter((name) => name >= first);
}

async function keysIn(folder: string): Promise<string[]> {
  const { pool, close } = await open(folder);
  const { rows } = await pool.query<{ key: string }>('select key from settings order by key');
  await close();
  return rows.map(({ key }) => key);
}

async function problemOf(folder: string): Promise<string> {
  return keysIn(folder).then(
    () => 'it was opened',
    (error: Error) => error.message,
  );
}

const withLarge = (keys: string[]) => [...keys, ...keys.map((key) => `large ${key}`)];

test('each file of the log that a killed panel left is needed, and named where it is gone', async () => {
  const names = logOf(killed);
  expect(names.length).toBeGreaterThan(2);
  const aside = join(killed, 'aside');
  for (const name of names) {
    const path = join(killed, 'pgdata/pg_wal', name);
    renameSync(path, aside);
    const before = contentOf(killed);
    const problem = await problemOf(killed);
    expect(problem).toContain(`pg_wal/${name} is missing`);
    expect(problem).toContain('nothing in it was changed');
    expect(contentOf(killed)).toEqual(before);
    renameSync(aside, path);
  }
});

test('without a list of files a gap in the log is noticed all the same', async () => {
  const folder = await newFolder();
  cpSync(killed, folder, { recursive: true });
  rmSync(join(folder, 'pgdata.files.json'));
  const middle = logOf(folder).at(-2) ?? '';
  rmSync(join(folder, 'pgdata/pg_wal', middle));
  expect(await problemOf(folder)).toContain(`pg_wal/${middle} is missing`);
  rmSync(folder, { recursive: true });
});

test('a killed panel whose log is whole opens with everything, and so does the next', async () => {
  const [first, second] = [await newFolder(), await newFolder()];
  cpSync(killed, first, { recursive: true });
  expect(await keysIn(first)).toEqual(expect.arrayContaining(withLarge(KEYS)));
  expect(await keysIn(first)).toEqual(expect.arrayContaining(withLarge(KEYS)));
  cpSync(killedAgain, second, { recursive: true });
  expect(await keysIn(second)).toEqual(expect.arrayContaining(withLarge([...KEYS, 'y', 'z'])));
  for (const folder of [first, second]) rmSync(folder, { recursive: true });
});

test('a file of the log that the database is done with may be gone', async () => {
  const folder = await newFolder();
  cpSync(killedAgain, folder, { recursive: true });
  const read = logOf(folder);
  for (const name of logFiles(folder)) {
    if (!read.includes(name)) rmSync(join(folder, 'pgdata/pg_wal', name));
  }
  expect(await keysIn(folder)).toContain('z');
  rmSync(folder, { recursive: true });
});

test.each([
  'pg_commit_ts',
  'pg_logical/mappings',
  'pg_logical/snapshots',
  'pg_notify',
  'pg_replslot',
  'pg_tblspc',
  'pg_twophase',
])('without the empty folder %s it is refused, and stays as it was', async (path) => {
  const empty = join(killed, 'pgdata', path);
  rmdirSync(empty);
  const before = contentOf(killed);
  const problem = await problemOf(killed);
  expect(problem).toContain(`${path} is missing`);
  expect(problem).toContain('nothing in it was changed');
  expect(contentOf(killed)).toEqual(before);
  mkdirSync(empty);
});
