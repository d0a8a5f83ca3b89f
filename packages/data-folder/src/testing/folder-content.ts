import { createHash } from 'node:crypto';
import { cpSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { open } from '../open.ts';

/** Hashes of the content of files, by inode. */
type KnownHashes = Map<number, string>;

function entriesOf(root: string) {
  return readdirSync(root, { recursive: true, withFileTypes: true }).map((entry) => ({
    path: join(entry.parentPath, entry.name),
    isFile: entry.isFile(),
  }));
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/**
 * The paths of all files and folders of an embedded database, sorted, each file with the hash of its content, so that a
 * test can compare a folder before and after a change. The hashes of files in `known` are not computed again.
 */
export function contentOf(folder: string, known: KnownHashes = new Map()): string[] {
  return entriesOf(join(folder, 'pgdata'))
    .map(({ path, isFile }) => {
      if (!isFile) return path;
      return `${path} ${known.get(statSync(path).ino) ?? hashOf(path)}`;
    })
    .sort();
}

const hashes = new Map<string, KnownHashes>();

/**
 * Hashes of the files in a folder, computed at the first call. A link to a file has the same inode,
 * and so the same hash.
 */
export function hashesOf(folder: string): KnownHashes {
  const files = () => entriesOf(join(folder, 'pgdata')).filter(({ isFile }) => isFile);
  const known =
    hashes.get(folder) ?? new Map(files().map(({ path }) => [statSync(path).ino, hashOf(path)]));
  hashes.set(folder, known);
  return known;
}

/**
 * Puts links to the database's files into `folder`, which takes no time and space. A change through
 * a link changes the original.
 */
export function linkDatabase(from: string, folder: string): void {
  cpSync(join(from, 'pgdata.files.json'), join(folder, 'pgdata.files.json'));
  const root = join(from, 'pgdata');
  mkdirSync(join(folder, 'pgdata'));
  for (const { path, isFile } of entriesOf(root)) {
    const link = join(folder, 'pgdata', path.slice(root.length + 1));
    mkdirSync(isFile ? dirname(link) : link, { recursive: true });
    if (isFile) linkSync(path, link);
  }
}

/** SQL for tables as a panel has them: with rows, with several indexes, and many that are empty. */
const SCHEMA = `
  create table settings (key text primary key, value jsonb not null);
  create table users (id serial primary key, email text not null unique, name text);
  create index on users (name);
  insert into users (email, name) select 'user-' || n || '@panel.example', 'User ' || n
    from generate_series(1, 500) as n;
  create table auth_sessions (id uuid primary key, user_id int references users);
  insert into auth_sessions select gen_random_uuid(), id from users;
  do $$ begin
    for n in 1..40 loop
      execute format('create table empty_%s (id serial primary key, name text unique)', n);
    end loop;
  end $$`;

/** Creates a database with tables in an empty folder, and closes it. */
export async function makeDatabase(folder: string): Promise<void> {
  const { pool, close } = await open(folder);
  await pool.query(SCHEMA);
  await close();
}
