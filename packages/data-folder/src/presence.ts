import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { databaseFolder, fileList } from './files.ts';

/**
 * True if the folder has a database, so that none may be created there. A link always counts as a
 * database, because its target may be on a disk that is not mounted.
 */
export function hasDatabase(folder: string): boolean {
  const root = databaseFolder(folder);
  const found = lstatSync(root, { throwIfNoEntry: false });
  if (!found) return false;
  return !found.isDirectory() || readdirSync(root).length > 0;
}

/**
 * Checks that a folder still has its database if it has files that only exist after one was there, and throws
 * otherwise. Starting with an empty database would look as if everything had been deleted.
 */
export function refuseLostDatabase(folder: string): void {
  if (!existsSync(folder) || hasDatabase(folder)) return;
  const names = readdirSync(folder).sort();
  const keys = names.filter((name) => /^secret\.key(\.|$)/.test(name));
  const traces = keys.concat(names.filter((name) => name === basename(fileList(folder))));
  if (traces.length === 0) return;
  throw new Error(
    `There is a ${traces[0]} in ${folder}, and the database it belongs to, pgdata, is missing. Nothing was ` +
      'changed. Put pgdata back (is its disk mounted?), or restore a backup. To ' +
      `start over with an empty database, move away: ${traces.join(', ')}`,
  );
}
