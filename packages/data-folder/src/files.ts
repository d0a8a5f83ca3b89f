import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

export const databaseFolder = (folder: string) => join(folder, 'pgdata');
/** Path of the list of the database's files with their sizes. */
export const fileList = (folder: string) => join(folder, 'pgdata.files.json');
/** Prefix for the name of an incomplete new database, which is renamed once complete. */
export const UNFINISHED = 'pgdata.new-';

/** The operating system's code of an error; empty if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

export function filesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

/** Syncs a file, or the names in a folder, so that it survives a power failure. */
export function syncPath(path: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
