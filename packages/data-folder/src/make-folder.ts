import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from './files.ts';

/**
 * Creates a folder and missing ones above it, with access for their owner only. Node's `recursive` is not used, because
 * it never ends below a folder in which none can be created, such as /proc. Throws errors of the file system.
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
