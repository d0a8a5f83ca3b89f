import { createHash } from 'node:crypto';
import { cpSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

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
 * All files and folders of an embedded database with their content. `known` has what need not be
 * read.
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

/** The content of each file as it was first asked for; a link to it has the same inode. */
export function hashesOf(folder: string): KnownHashes {
  const files = () => entriesOf(join(folder, 'pgdata')).filter(({ isFile }) => isFile);
  const known =
    hashes.get(folder) ?? new Map(files().map(({ path }) => [statSync(path).ino, hashOf(path)]));
  hashes.set(folder, known);
  return known;
}

/**
 * Puts links to the database's files into `folder`, which takes no time and space. Whoever changes
 * one of them changes the original.
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
