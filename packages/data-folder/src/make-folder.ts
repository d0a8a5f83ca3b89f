import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from './files.ts';

/**
 * Makes a folder and those above it that are missing, for their owner alone. Not by Node's `recursive`,
 * which never ends below a folder that takes no others, such as /proc. Throws errors of the file system.
 */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const above = dirname(folder);
    if (codeOf(error) === 'ENOENT' && above !== folder && !isFolder(above)) {
      makeFolder(above);
      mkdirSync(folder, { mode: 0o700 });
    } else if (!isFolder(folder)) {
      throw error;
    }
  }
}

const isFolder = (path: string) =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
